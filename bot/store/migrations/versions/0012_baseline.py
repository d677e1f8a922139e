"""The tables of release 1.1.0, whatever revisions once led to them.

They never change: what `schema.py` has beyond them is added by later revisions.
"""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = None

_TABLES = """
CREATE TABLE matches (
    id BIGINT NOT NULL,
    version INTEGER NOT NULL,
    channel_id BIGINT NOT NULL,
    guild_id BIGINT,
    message_id BIGINT,
    locale VARCHAR(16) NOT NULL,
    rules VARCHAR(16) NOT NULL,
    x_id BIGINT NOT NULL,
    x_level VARCHAR(16),
    o_id BIGINT NOT NULL,
    o_level VARCHAR(16),
    opened_by BIGINT NOT NULL,
    accepted BOOLEAN NOT NULL,
    moves TEXT NOT NULL,
    live BOOLEAN NOT NULL,
    ended_how VARCHAR(16),
    winner VARCHAR(1),
    deadline_at BIGINT NOT NULL,
    asks_rematch BIGINT,
    next_id BIGINT,
    hints INTEGER NOT NULL DEFAULT 0,
    hinted_version INTEGER,
    ended_at BIGINT NOT NULL DEFAULT 0,
    counted BOOLEAN NOT NULL DEFAULT FALSE,
    is_first BOOLEAN NOT NULL DEFAULT FALSE,
    duel VARCHAR(32),
    turn_minutes INTEGER,
    is_open BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (id)
);
CREATE UNIQUE INDEX one_live_match_a_channel ON matches (channel_id) WHERE live;
CREATE INDEX live_matches_by_deadline ON matches (deadline_at) WHERE live;
CREATE INDEX matches_by_channel ON matches (channel_id, id);
CREATE INDEX matches_by_opener ON matches (opened_by, id);
CREATE INDEX unplayed_matches ON matches (id) WHERE moves = '';
CREATE INDEX matches_by_guild ON matches (guild_id, id);
CREATE INDEX matches_by_x ON matches (x_id, id);
CREATE INDEX matches_by_o ON matches (o_id, id);
CREATE INDEX uncounted_matches ON matches (ended_at, id) WHERE NOT live AND NOT counted;
CREATE INDEX live_matches_between_people ON matches (id)
    WHERE live AND accepted AND x_level IS NULL AND o_level IS NULL;

CREATE TABLE facts (
    name VARCHAR(64) NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE servers (
    guild_id BIGINT NOT NULL,
    level VARCHAR(16),
    language VARCHAR(16),
    rules VARCHAR(16),
    turn_minutes INTEGER,
    channels TEXT,
    has_ranking BOOLEAN,
    puzzle_channel BIGINT,
    puzzle_hour INTEGER,
    PRIMARY KEY (guild_id)
);
CREATE INDEX servers_with_puzzles ON servers (guild_id) WHERE puzzle_channel IS NOT NULL;

CREATE TABLE memberships (
    guild_id BIGINT NOT NULL,
    absent_since BIGINT,
    forget_before BIGINT,
    PRIMARY KEY (guild_id)
);

CREATE TABLE people (
    user_id BIGINT NOT NULL,
    takes_challenges BOOLEAN NOT NULL DEFAULT TRUE,
    forget_before BIGINT,
    is_hidden BOOLEAN NOT NULL DEFAULT FALSE,
    wants_reminders BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (user_id)
);
CREATE INDEX people_to_be_forgotten ON people (user_id) WHERE forget_before IS NOT NULL;

CREATE TABLE tallies (
    user_id BIGINT NOT NULL,
    rules VARCHAR(16) NOT NULL,
    level VARCHAR(16) NOT NULL,
    hinted BOOLEAN NOT NULL,
    won INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    unbeaten INTEGER NOT NULL,
    longest INTEGER NOT NULL,
    kept INTEGER NOT NULL,
    critical INTEGER NOT NULL,
    PRIMARY KEY (user_id, rules, level, hinted)
);

CREATE TABLE duels (
    first_id BIGINT NOT NULL,
    second_id BIGINT NOT NULL,
    won INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    PRIMARY KEY (first_id, second_id)
);
CREATE INDEX duels_by_second ON duels (second_id);

CREATE TABLE attempts (
    user_id BIGINT NOT NULL,
    day DATE NOT NULL,
    tried VARCHAR(8) NOT NULL,
    tries INTEGER,
    guild_id BIGINT,
    is_shared BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (user_id, day)
);
CREATE INDEX attempts_by_guild ON attempts (guild_id, day);
CREATE INDEX attempts_by_day ON attempts (day);

CREATE TABLE puzzle_tallies (
    user_id BIGINT NOT NULL,
    solved_1 INTEGER NOT NULL,
    solved_2 INTEGER NOT NULL,
    solved_3 INTEGER NOT NULL,
    missed INTEGER NOT NULL,
    streak INTEGER NOT NULL,
    best INTEGER NOT NULL,
    last_day DATE,
    gap_day DATE,
    PRIMARY KEY (user_id)
);

CREATE TABLE puzzle_posts (
    guild_id BIGINT NOT NULL,
    locale VARCHAR(16) NOT NULL DEFAULT '',
    day DATE,
    take INTEGER NOT NULL DEFAULT 0,
    claimed_at BIGINT,
    message_id BIGINT,
    failures INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (guild_id)
);

CREATE TABLE moments (
    match_id BIGINT NOT NULL,
    ply INTEGER NOT NULL,
    message_id BIGINT,
    PRIMARY KEY (match_id)
);

CREATE TABLE moment_tries (
    match_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    is_found BOOLEAN NOT NULL,
    PRIMARY KEY (match_id, user_id)
);
CREATE INDEX moment_tries_by_user ON moment_tries (user_id);

CREATE TABLE reminder_choices (
    match_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    is_on BOOLEAN NOT NULL,
    PRIMARY KEY (match_id, user_id)
);
CREATE INDEX reminder_choices_by_user ON reminder_choices (user_id);

CREATE TABLE reminders (
    match_id BIGINT NOT NULL,
    version INTEGER NOT NULL,
    take INTEGER NOT NULL,
    claimed_at BIGINT NOT NULL,
    message_id BIGINT,
    PRIMARY KEY (match_id)
);

CREATE TABLE ranks (
    guild_id BIGINT NOT NULL,
    chart VARCHAR(8) NOT NULL,
    user_id BIGINT NOT NULL,
    score INTEGER NOT NULL,
    PRIMARY KEY (guild_id, chart, user_id)
);
CREATE INDEX ranks_by_score ON ranks (guild_id, chart, score);
CREATE INDEX ranks_by_user ON ranks (user_id);

INSERT INTO facts (name, value) VALUES ('counting', '')
"""


def upgrade() -> None:
    for statement in _TABLES.split(";"):
        op.execute(statement)
