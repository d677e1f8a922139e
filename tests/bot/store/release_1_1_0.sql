CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE attempts (
    user_id BIGINT NOT NULL,
    day DATE NOT NULL,
    tried VARCHAR(8) NOT NULL,
    tries INTEGER,
    guild_id BIGINT,
    is_shared BOOLEAN DEFAULT FALSE NOT NULL,
    PRIMARY KEY (user_id, day)
);
CREATE TABLE duels (
    first_id BIGINT NOT NULL,
    second_id BIGINT NOT NULL,
    won INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    PRIMARY KEY (first_id, second_id)
);
CREATE TABLE facts (
    name VARCHAR(64) NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (name)
);
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
    next_id BIGINT, hints INTEGER DEFAULT 0 NOT NULL, hinted_version INTEGER, ended_at BIGINT DEFAULT 0 NOT NULL, counted BOOLEAN DEFAULT FALSE NOT NULL, is_first BOOLEAN DEFAULT FALSE NOT NULL, duel VARCHAR(32), turn_minutes INTEGER, is_open BOOLEAN DEFAULT FALSE NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE memberships (
    guild_id BIGINT NOT NULL,
    absent_since BIGINT,
    forget_before BIGINT,
    PRIMARY KEY (guild_id)
);
CREATE TABLE moment_tries (
    match_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    is_found BOOLEAN NOT NULL,
    PRIMARY KEY (match_id, user_id)
);
CREATE TABLE moments (
    match_id BIGINT NOT NULL,
    ply INTEGER NOT NULL,
    message_id BIGINT,
    PRIMARY KEY (match_id)
);
CREATE TABLE people (
    user_id BIGINT NOT NULL,
    takes_challenges BOOLEAN DEFAULT TRUE NOT NULL,
    forget_before BIGINT, is_hidden BOOLEAN DEFAULT FALSE NOT NULL, wants_reminders BOOLEAN DEFAULT FALSE NOT NULL,
    PRIMARY KEY (user_id)
);
CREATE TABLE puzzle_posts (
    guild_id BIGINT NOT NULL,
    locale VARCHAR(16) DEFAULT '' NOT NULL,
    day DATE,
    take INTEGER DEFAULT 0 NOT NULL,
    claimed_at BIGINT,
    message_id BIGINT,
    failures INTEGER DEFAULT 0 NOT NULL,
    PRIMARY KEY (guild_id)
);
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
CREATE TABLE ranks (
    guild_id BIGINT NOT NULL,
    chart VARCHAR(8) NOT NULL,
    user_id BIGINT NOT NULL,
    score INTEGER NOT NULL,
    PRIMARY KEY (guild_id, chart, user_id)
);
CREATE TABLE reminder_choices (
    match_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    is_on BOOLEAN NOT NULL,
    PRIMARY KEY (match_id, user_id)
);
CREATE TABLE reminders (
    match_id BIGINT NOT NULL,
    version INTEGER NOT NULL,
    take INTEGER NOT NULL,
    claimed_at BIGINT NOT NULL,
    message_id BIGINT,
    PRIMARY KEY (match_id)
);
CREATE TABLE "servers" (
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
CREATE INDEX attempts_by_day ON attempts (day);
CREATE INDEX attempts_by_guild ON attempts (guild_id, day);
CREATE INDEX duels_by_second ON duels (second_id);
CREATE INDEX live_matches_between_people ON matches (id) WHERE live AND accepted AND x_level IS NULL AND o_level IS NULL;
CREATE INDEX live_matches_by_deadline ON matches (deadline_at) WHERE live;
CREATE INDEX matches_by_channel ON matches (channel_id, id);
CREATE INDEX matches_by_guild ON matches (guild_id, id);
CREATE INDEX matches_by_o ON matches (o_id, id);
CREATE INDEX matches_by_opener ON matches (opened_by, id);
CREATE INDEX matches_by_x ON matches (x_id, id);
CREATE INDEX moment_tries_by_user ON moment_tries (user_id);
CREATE UNIQUE INDEX one_live_match_a_channel ON matches (channel_id) WHERE live;
CREATE INDEX people_to_be_forgotten ON people (user_id) WHERE forget_before IS NOT NULL;
CREATE INDEX ranks_by_score ON ranks (guild_id, chart, score);
CREATE INDEX ranks_by_user ON ranks (user_id);
CREATE INDEX reminder_choices_by_user ON reminder_choices (user_id);
CREATE INDEX servers_with_puzzles ON servers (guild_id) WHERE puzzle_channel IS NOT NULL;
CREATE INDEX uncounted_matches ON matches (ended_at, id) WHERE NOT live AND NOT counted;
CREATE INDEX unplayed_matches ON matches (id) WHERE moves = '';
INSERT INTO alembic_version (version_num) VALUES
('0012');
INSERT INTO attempts (user_id, day, tried, tries, guild_id, is_shared) VALUES
(1, '2026-05-01', 'em', 2, 20, FALSE),
(2, '2026-05-01', 'e', NULL, 20, FALSE);
INSERT INTO duels (first_id, second_id, won, drawn, lost) VALUES
(1, 2, 1, 0, 0);
INSERT INTO facts (name, value) VALUES
('commands', 'told'),
('counting', ''),
('deleted 374bad1341d32a9a7cc56229e4a087657da0c741cb1173d3', '00000000000000000006'),
('deleted dd31291f66ed9f377343479c6da4e011fe296fae64def4ea', '00000000000000000006');
INSERT INTO matches (id, version, channel_id, guild_id, message_id, locale, rules, x_id, x_level, o_id, o_level, opened_by, accepted, moves, live, ended_how, winner, deadline_at, asks_rematch, next_id, hints, hinted_version, ended_at, counted, is_first, duel, turn_minutes, is_open) VALUES
(1, 1, 11, 20, 101, 'pt-BR', '3x3x3', 1, NULL, 2, NULL, 1, TRUE, 'A1A2B1B2C1', FALSE, 'won', 'x', 1777636800, NULL, NULL, 0, NULL, 1777636200, TRUE, FALSE, NULL, NULL, FALSE),
(2, 1, 12, 20, 102, 'pt-BR', '3x3x3', 1, NULL, 9, 'CHILD', 1, TRUE, 'A1A2B1B2C1', FALSE, 'won', 'x', 1777636800, NULL, NULL, 0, NULL, 1777636200, TRUE, TRUE, NULL, NULL, FALSE),
(3, 0, 13, 20, 100, 'pt-BR', '3x3x3', 1, NULL, 9, 'EASY', 1, TRUE, '', TRUE, NULL, NULL, 1777638060, NULL, NULL, 0, NULL, 0, FALSE, FALSE, NULL, NULL, FALSE),
(4, 0, 14, 20, 104, 'pt-BR', '3x3x3', 1, NULL, 2, NULL, 1, TRUE, 'A1B2', FALSE, 'resigned', 'x', 1777636800, NULL, NULL, 0, NULL, 1777636260, FALSE, FALSE, NULL, NULL, FALSE),
(5, 0, 15, NULL, 105, 'en-US', '3x3x3', 1, NULL, 2, NULL, 1, FALSE, '', TRUE, NULL, NULL, 1777636800, NULL, NULL, 0, NULL, 0, FALSE, FALSE, NULL, NULL, FALSE),
(6, 0, 16, 20, 106, 'pt-BR', '3x3x3', 1, NULL, 9, 'EASY', 1, TRUE, 'A1B2', TRUE, NULL, NULL, 1777638060, NULL, NULL, 0, NULL, 0, FALSE, FALSE, NULL, NULL, TRUE),
(7, 0, 10, 20, 100, 'pt-BR', '3x3x3', 1, NULL, 2, NULL, 1, TRUE, 'A1B2', TRUE, NULL, NULL, 1777638000, NULL, NULL, 0, NULL, 0, FALSE, FALSE, NULL, 30, FALSE);
INSERT INTO memberships (guild_id, absent_since, forget_before) VALUES
(20, NULL, NULL),
(21, 1777636260, NULL);
INSERT INTO moment_tries (match_id, user_id, is_found) VALUES
(1, 3, TRUE);
INSERT INTO moments (match_id, ply, message_id) VALUES
(1, 4, 500);
INSERT INTO people (user_id, takes_challenges, forget_before, is_hidden, wants_reminders) VALUES
(2, FALSE, NULL, TRUE, FALSE),
(5, TRUE, 6, FALSE, FALSE);
INSERT INTO puzzle_posts (guild_id, locale, day, take, claimed_at, message_id, failures) VALUES
(20, 'pt-BR', '2026-05-01', 1, 1777636800, 502, 0);
INSERT INTO puzzle_tallies (user_id, solved_1, solved_2, solved_3, missed, streak, best, last_day, gap_day) VALUES
(1, 0, 1, 0, 0, 1, 1, '2026-05-01', NULL);
INSERT INTO ranks (guild_id, chart, user_id, score) VALUES
(20, '2026-05', 1, 2),
(20, 'ever', 1, 2),
(20, 'ladder', 1, 1);
INSERT INTO reminder_choices (match_id, user_id, is_on) VALUES
(7, 1, TRUE);
INSERT INTO reminders (match_id, version, take, claimed_at, message_id) VALUES
(7, 0, 1, 1777636260, 501);
INSERT INTO servers (guild_id, level, language, rules, turn_minutes, channels, has_ranking, puzzle_channel, puzzle_hour) VALUES
(20, 'EASY', 'pt_BR', '3x3x3', 60, '10 11', TRUE, 16, 8);
INSERT INTO tallies (user_id, rules, level, hinted, won, drawn, lost, unbeaten, longest, kept, critical) VALUES
(1, '3x3x3', '', FALSE, 1, 0, 0, 1, 1, 2, 2),
(1, '3x3x3', 'CHILD', FALSE, 1, 0, 0, 1, 1, 2, 2),
(2, '3x3x3', '', FALSE, 0, 0, 1, 0, 0, 0, 1);
