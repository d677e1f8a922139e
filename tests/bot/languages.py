"""Languages made of catalogues that tests write."""

from __future__ import annotations

from babel.messages import Catalog

from bot.views.catalogues import Catalogue
from bot.views.i18n import Language
from tests.catalogues import compiled


def language_with(catalogue: Catalog) -> Language:
    return Language(Catalogue(str(catalogue.locale_identifier), compiled(catalogue)))
