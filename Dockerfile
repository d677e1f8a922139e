# Velha in a container: compose.yaml runs it, and docs/en/RUNNING.md says how. `python -m tests.tools.image`
# builds it and plays a game in it or, without a container engine, does the same steps in a folder.
#
# By digest: what is built is what was tested. Dependabot follows the tag.
FROM python:3.13-slim-trixie@sha256:ffb752e139c0a19692a43af8d8523b274222dd68eebad5d583b45c2201c6e30a AS build

# Packages first: they change less often than the code.
COPY requirements.txt /velha/
RUN python -m venv --without-pip /velha/.venv \
 && python -m pip --python /velha/.venv/bin/python install --quiet --no-cache-dir -r /velha/requirements.txt
COPY engine /velha/engine
COPY bot /velha/bot
RUN /velha/.venv/bin/python -m compileall -q /velha/engine /velha/bot

# Nothing in it installs anything.
FROM python:3.13-slim-trixie@sha256:ffb752e139c0a19692a43af8d8523b274222dd68eebad5d583b45c2201c6e30a
RUN python -m pip uninstall --quiet --yes --root-user-action ignore pip
COPY --from=build /velha /velha

LABEL org.opencontainers.image.title=velha \
      org.opencontainers.image.version=1.1.0.dev0 \
      org.opencontainers.image.licenses=MIT \
      org.opencontainers.image.description="Tic-tac-toe for Discord"

# The one place that is written to, by somebody who may do nothing else. There is no VOLUME for it:
# Railway refuses that, and compose.yaml names one.
RUN install -d -m 700 -o 10001 -g 10001 /data
USER 10001:10001
WORKDIR /data
ENV PATH=/velha/.venv/bin:$PATH PYTHONPATH=/velha PYTHONDONTWRITEBYTECODE=1

HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD ["python", "-m", "bot", "health"]
ENTRYPOINT ["python", "-m", "bot"]
# A restart policy knows no exit codes: a wrong setting is tried again in an hour, not at once.
CMD ["--hold"]
