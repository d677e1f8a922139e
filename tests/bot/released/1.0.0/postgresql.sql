CREATE TABLE alembic_version (
    version_num character varying(32) NOT NULL
);
CREATE TABLE attempts (
    user_id bigint NOT NULL,
    day date NOT NULL,
    tries character varying(8) NOT NULL,
    tries_needed integer,
    guild_id bigint,
    is_shared boolean DEFAULT false NOT NULL,
    share_claimed_at bigint
);
CREATE TABLE duels (
    first_id bigint NOT NULL,
    second_id bigint NOT NULL,
    won integer NOT NULL,
    drawn integer NOT NULL,
    lost integer NOT NULL
);
CREATE TABLE facts (
    name character varying(64) NOT NULL,
    value text NOT NULL
);
CREATE TABLE matches (
    id bigint NOT NULL,
    version integer NOT NULL,
    channel_id bigint NOT NULL,
    guild_id bigint,
    message_id bigint,
    locale character varying(16) NOT NULL,
    rules character varying(16) NOT NULL,
    x_id bigint NOT NULL,
    x_level character varying(16),
    o_id bigint NOT NULL,
    o_level character varying(16),
    opened_by bigint NOT NULL,
    accepted boolean NOT NULL,
    moves text NOT NULL,
    live boolean NOT NULL,
    ended_how character varying(16),
    winner character varying(1),
    deadline_at bigint NOT NULL,
    asks_rematch bigint,
    next_id bigint,
    hints integer DEFAULT 0 NOT NULL,
    hinted_version integer,
    ended_at bigint DEFAULT 0 NOT NULL,
    unjudged boolean DEFAULT false NOT NULL,
    duel character varying(32),
    trail character varying(96),
    turn_minutes integer,
    is_open boolean DEFAULT false NOT NULL
);
CREATE TABLE memberships (
    guild_id bigint NOT NULL,
    absent_since bigint,
    forget_before bigint
);
CREATE TABLE moment_tries (
    match_id bigint NOT NULL,
    user_id bigint NOT NULL,
    is_found boolean NOT NULL
);
CREATE TABLE moments (
    match_id bigint NOT NULL,
    ply integer NOT NULL,
    message_id bigint,
    claimed_at bigint NOT NULL
);
CREATE TABLE people (
    user_id bigint NOT NULL,
    takes_challenges boolean DEFAULT true NOT NULL,
    is_hidden boolean DEFAULT false NOT NULL,
    wants_reminders boolean DEFAULT false NOT NULL,
    forget_before bigint
);
CREATE TABLE processes (
    name text NOT NULL,
    seen_at bigint NOT NULL
);
CREATE TABLE progress (
    user_id bigint NOT NULL,
    goal character varying(32) NOT NULL,
    draws integer NOT NULL,
    losses integer NOT NULL,
    is_passed boolean NOT NULL
);
CREATE TABLE puzzle_posts (
    guild_id bigint NOT NULL,
    locale character varying(16) DEFAULT ''::character varying NOT NULL,
    day date,
    take integer DEFAULT 0 NOT NULL,
    claimed_at bigint,
    message_id bigint,
    failures integer DEFAULT 0 NOT NULL
);
CREATE TABLE puzzle_tallies (
    user_id bigint NOT NULL,
    solved_1 integer NOT NULL,
    solved_2 integer NOT NULL,
    solved_3 integer NOT NULL,
    missed integer NOT NULL,
    streak integer NOT NULL,
    best integer NOT NULL,
    last_day date,
    gap_day date
);
CREATE TABLE ranks (
    guild_id bigint NOT NULL,
    chart character varying(8) NOT NULL,
    user_id bigint NOT NULL,
    score integer NOT NULL
);
CREATE TABLE reminders (
    match_id bigint NOT NULL,
    version integer NOT NULL,
    take integer NOT NULL,
    claimed_at bigint NOT NULL,
    message_id bigint
);
CREATE TABLE server_scores (
    guild_id bigint NOT NULL,
    user_id bigint NOT NULL,
    won integer NOT NULL,
    drawn integer NOT NULL,
    lost integer NOT NULL
);
CREATE TABLE servers (
    guild_id bigint NOT NULL,
    level character varying(16),
    language character varying(16),
    rules character varying(16),
    turn_minutes integer,
    channels text,
    has_ranking boolean,
    puzzle_channel bigint,
    puzzle_hour integer
);
CREATE TABLE tallies (
    user_id bigint NOT NULL,
    rules character varying(16) NOT NULL,
    level character varying(16) NOT NULL,
    hinted boolean NOT NULL,
    won integer NOT NULL,
    drawn integer NOT NULL,
    lost integer NOT NULL,
    unbeaten integer NOT NULL,
    longest integer NOT NULL,
    kept integer NOT NULL,
    critical integer NOT NULL
);
INSERT INTO alembic_version (version_num) VALUES ('1000');
INSERT INTO attempts (user_id, day, tries, tries_needed, guild_id, is_shared, share_claimed_at) VALUES (1456789153382400042, '2026-01-02', 'dh', 2, 1456789153382400037, false, NULL);
INSERT INTO duels (first_id, second_id, won, drawn, lost) VALUES (1456789153382400042, 1456789153382400043, 0, 0, 1);
INSERT INTO facts (name, value) VALUES ('commands of 1456074443980800000 in every server', '1bd03538708fdce6b8b2839906bad0d4a2c155196f8eec3417207eeac1330ce1');
INSERT INTO matches (id, version, channel_id, guild_id, message_id, locale, rules, x_id, x_level, o_id, o_level, opened_by, accepted, moves, live, ended_how, winner, deadline_at, asks_rematch, next_id, hints, hinted_version, ended_at, unjudged, duel, trail, turn_minutes, is_open) VALUES (1456789153382400048, 2, 1456789153382400040, 1456789153382400037, 1456789153382400049, 'en-GB', '3x3x3', 1456789153382400042, NULL, 1456074443980800001, 'EASY', 1456789153382400042, true, 'B2B1', false, 'resigned', 'o', 1767397800, NULL, NULL, 1, 1, 1767396000, false, NULL, NULL, NULL, true);
INSERT INTO matches (id, version, channel_id, guild_id, message_id, locale, rules, x_id, x_level, o_id, o_level, opened_by, accepted, moves, live, ended_how, winner, deadline_at, asks_rematch, next_id, hints, hinted_version, ended_at, unjudged, duel, trail, turn_minutes, is_open) VALUES (1456789657537740800, 3, 1456789153382400040, 1456789153382400037, 1456789657537740801, 'en-GB', '3x3x3', 1456789153382400042, NULL, 1456074443980800001, 'CHILD', 1456789153382400042, true, 'A1C3C1A2B1', false, 'won', 'x', 1767397920, NULL, NULL, 0, NULL, 1767396120, false, NULL, NULL, NULL, false);
INSERT INTO matches (id, version, channel_id, guild_id, message_id, locale, rules, x_id, x_level, o_id, o_level, opened_by, accepted, moves, live, ended_how, winner, deadline_at, asks_rematch, next_id, hints, hinted_version, ended_at, unjudged, duel, trail, turn_minutes, is_open) VALUES (1456790161273651200, 2, 1456789153382400040, 1456789153382400037, 1456790161273651201, 'en-GB', '3x3x3', 1456789153382400042, NULL, 1456074443980800001, 'EASY', 1456789153382400042, true, 'B2A1', false, 'resigned', 'o', 1767398040, NULL, NULL, 0, NULL, 1767396240, false, NULL, NULL, NULL, true);
INSERT INTO matches (id, version, channel_id, guild_id, message_id, locale, rules, x_id, x_level, o_id, o_level, opened_by, accepted, moves, live, ended_how, winner, deadline_at, asks_rematch, next_id, hints, hinted_version, ended_at, unjudged, duel, trail, turn_minutes, is_open) VALUES (1456790664590131200, 1, 1456789153382400040, 1456789153382400037, 1456790664590131201, 'en-GB', '3x3x3', 1456789153382400043, NULL, 1456789153382400042, NULL, 1456789153382400043, false, '', false, 'cancelled', NULL, 1767396660, NULL, NULL, 0, NULL, 1767396360, false, NULL, NULL, NULL, false);
INSERT INTO matches (id, version, channel_id, guild_id, message_id, locale, rules, x_id, x_level, o_id, o_level, opened_by, accepted, moves, live, ended_how, winner, deadline_at, asks_rematch, next_id, hints, hinted_version, ended_at, unjudged, duel, trail, turn_minutes, is_open) VALUES (1456790664590131202, 1, 1456789153382400040, 1456789153382400037, 1456790664590131203, 'en-GB', '3x3x3', 1456789153382400043, NULL, 1456789153382400042, NULL, 1456789153382400043, false, '', false, 'declined', NULL, 1767396660, NULL, NULL, 0, NULL, 1767396360, false, NULL, NULL, NULL, false);
INSERT INTO matches (id, version, channel_id, guild_id, message_id, locale, rules, x_id, x_level, o_id, o_level, opened_by, accepted, moves, live, ended_how, winner, deadline_at, asks_rematch, next_id, hints, hinted_version, ended_at, unjudged, duel, trail, turn_minutes, is_open) VALUES (1456790664590131205, 8, 1456789153382400040, 1456789153382400037, 1456790664590131206, 'en-GB', '3x3x3', 1456789153382400043, NULL, 1456789153382400042, NULL, 1456789153382400043, true, 'A1C3C1B1A3B2A2', false, 'won', 'x', 1767398160, NULL, NULL, 0, NULL, 1767396360, false, NULL, NULL, NULL, false);
INSERT INTO matches (id, version, channel_id, guild_id, message_id, locale, rules, x_id, x_level, o_id, o_level, opened_by, accepted, moves, live, ended_how, winner, deadline_at, asks_rematch, next_id, hints, hinted_version, ended_at, unjudged, duel, trail, turn_minutes, is_open) VALUES (1456796733118873600, 3, 1456789153382400040, 1456789153382400037, 1456796733118873601, 'en-GB', '3x3x3', 1456789153382400043, NULL, 1456789153382400044, NULL, 1456789153382400043, true, 'B2A1', true, NULL, NULL, 1767399607, NULL, NULL, 0, NULL, 0, false, '0-0-0', NULL, NULL, false);
INSERT INTO matches (id, version, channel_id, guild_id, message_id, locale, rules, x_id, x_level, o_id, o_level, opened_by, accepted, moves, live, ended_how, winner, deadline_at, asks_rematch, next_id, hints, hinted_version, ended_at, unjudged, duel, trail, turn_minutes, is_open) VALUES (1456796733118873608, 0, 1456796733118873607, 1456789153382400037, 1456796733118873609, 'en-GB', '3x3x3', 1456789153382400043, NULL, 1456074443980800001, 'EASY', 1456789153382400043, true, '', true, NULL, NULL, 1767399607, NULL, NULL, 0, NULL, 0, false, NULL, '3x3x3 EASY|0|0||0', NULL, true);
INSERT INTO memberships (guild_id, absent_since, forget_before) VALUES (1456789153382400037, NULL, NULL);
INSERT INTO moment_tries (match_id, user_id, is_found) VALUES (1456790664590131205, 1456789153382400044, true);
INSERT INTO moments (match_id, ply, message_id, claimed_at) VALUES (1456790664590131205, 2, 1456791170423193601, 1767396480);
INSERT INTO people (user_id, takes_challenges, is_hidden, wants_reminders, forget_before) VALUES (1456789153382400042, false, true, true, NULL);
INSERT INTO people (user_id, takes_challenges, is_hidden, wants_reminders, forget_before) VALUES (1456789153382400043, true, false, true, NULL);
INSERT INTO processes (name, seen_at) VALUES ('host:1', 1795899637);
INSERT INTO progress (user_id, goal, draws, losses, is_passed) VALUES (1456789153382400042, '3x3x3 EASY', 0, 1, false);
INSERT INTO puzzle_posts (guild_id, locale, day, take, claimed_at, message_id, failures) VALUES (1456789153382400037, 'en-GB', '2026-01-02', 1, 1767396615, 1456791732879360000, 0);
INSERT INTO puzzle_tallies (user_id, solved_1, solved_2, solved_3, missed, streak, best, last_day, gap_day) VALUES (1456789153382400042, 0, 1, 0, 0, 1, 1, '2026-01-02', NULL);
INSERT INTO ranks (guild_id, chart, user_id, score) VALUES (1456789153382400037, '2026-01', 1456789153382400042, 2);
INSERT INTO ranks (guild_id, chart, user_id, score) VALUES (1456789153382400037, 'ever', 1456789153382400042, 2);
INSERT INTO reminders (match_id, version, take, claimed_at, message_id) VALUES (1456796733118873600, 3, 1, 1767397875, 1456797017702400000);
INSERT INTO server_scores (guild_id, user_id, won, drawn, lost) VALUES (1456789153382400037, 1456789153382400043, 1, 0, 0);
INSERT INTO server_scores (guild_id, user_id, won, drawn, lost) VALUES (1456789153382400037, 1456789153382400042, 0, 0, 1);
INSERT INTO servers (guild_id, level, language, rules, turn_minutes, channels, has_ranking, puzzle_channel, puzzle_hour) VALUES (1456789153382400037, NULL, NULL, NULL, NULL, NULL, NULL, 1456789153382400040, 0);
INSERT INTO tallies (user_id, rules, level, hinted, won, drawn, lost, unbeaten, longest, kept, critical) VALUES (1456789153382400042, '3x3x3', 'EASY', true, 0, 0, 1, 0, 0, 0, 0);
INSERT INTO tallies (user_id, rules, level, hinted, won, drawn, lost, unbeaten, longest, kept, critical) VALUES (1456789153382400042, '3x3x3', 'CHILD', false, 1, 0, 0, 1, 1, 2, 2);
INSERT INTO tallies (user_id, rules, level, hinted, won, drawn, lost, unbeaten, longest, kept, critical) VALUES (1456789153382400042, '3x3x3', 'EASY', false, 0, 0, 1, 0, 0, 0, 0);
INSERT INTO tallies (user_id, rules, level, hinted, won, drawn, lost, unbeaten, longest, kept, critical) VALUES (1456789153382400043, '3x3x3', '', false, 1, 0, 0, 1, 1, 3, 3);
INSERT INTO tallies (user_id, rules, level, hinted, won, drawn, lost, unbeaten, longest, kept, critical) VALUES (1456789153382400042, '3x3x3', '', false, 0, 0, 1, 0, 0, 0, 1);
ALTER TABLE ONLY alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (user_id, day);
ALTER TABLE ONLY duels
    ADD CONSTRAINT duels_pkey PRIMARY KEY (first_id, second_id);
ALTER TABLE ONLY facts
    ADD CONSTRAINT facts_pkey PRIMARY KEY (name);
ALTER TABLE ONLY matches
    ADD CONSTRAINT matches_pkey PRIMARY KEY (id);
ALTER TABLE ONLY memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (guild_id);
ALTER TABLE ONLY moment_tries
    ADD CONSTRAINT moment_tries_pkey PRIMARY KEY (match_id, user_id);
ALTER TABLE ONLY moments
    ADD CONSTRAINT moments_pkey PRIMARY KEY (match_id);
ALTER TABLE ONLY people
    ADD CONSTRAINT people_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY processes
    ADD CONSTRAINT processes_pkey PRIMARY KEY (name);
ALTER TABLE ONLY progress
    ADD CONSTRAINT progress_pkey PRIMARY KEY (user_id, goal);
ALTER TABLE ONLY puzzle_posts
    ADD CONSTRAINT puzzle_posts_pkey PRIMARY KEY (guild_id);
ALTER TABLE ONLY puzzle_tallies
    ADD CONSTRAINT puzzle_tallies_pkey PRIMARY KEY (user_id);
ALTER TABLE ONLY ranks
    ADD CONSTRAINT ranks_pkey PRIMARY KEY (guild_id, chart, user_id);
ALTER TABLE ONLY reminders
    ADD CONSTRAINT reminders_pkey PRIMARY KEY (match_id);
ALTER TABLE ONLY server_scores
    ADD CONSTRAINT server_scores_pkey PRIMARY KEY (guild_id, user_id);
ALTER TABLE ONLY servers
    ADD CONSTRAINT servers_pkey PRIMARY KEY (guild_id);
ALTER TABLE ONLY tallies
    ADD CONSTRAINT tallies_pkey PRIMARY KEY (user_id, rules, level, hinted);
CREATE INDEX attempts_by_day ON attempts USING btree (day);
CREATE INDEX attempts_by_guild ON attempts USING btree (guild_id, day);
CREATE INDEX duels_by_second ON duels USING btree (second_id);
CREATE INDEX live_matches_between_people ON matches USING btree (id) WHERE (live AND accepted AND (x_level IS NULL) AND (o_level IS NULL));
CREATE INDEX live_matches_by_deadline ON matches USING btree (deadline_at) WHERE live;
CREATE INDEX matches_by_channel ON matches USING btree (channel_id, id);
CREATE INDEX matches_by_guild ON matches USING btree (guild_id, id);
CREATE INDEX matches_by_o ON matches USING btree (o_id, id);
CREATE INDEX matches_by_opener ON matches USING btree (opened_by, id);
CREATE INDEX matches_by_x ON matches USING btree (x_id, id);
CREATE INDEX moment_tries_by_user ON moment_tries USING btree (user_id);
CREATE UNIQUE INDEX one_live_match_a_channel ON matches USING btree (channel_id) WHERE live;
CREATE INDEX people_to_be_forgotten ON people USING btree (user_id) WHERE (forget_before IS NOT NULL);
CREATE INDEX ranks_by_month ON ranks USING btree (chart) WHERE ((chart)::text < 'a'::text);
CREATE INDEX ranks_by_score ON ranks USING btree (guild_id, chart, score);
CREATE INDEX ranks_by_user ON ranks USING btree (user_id);
CREATE INDEX server_scores_by_user ON server_scores USING btree (user_id);
CREATE INDEX server_scores_by_wins ON server_scores USING btree (guild_id, won, drawn, lost);
CREATE INDEX servers_with_puzzles ON servers USING btree (guild_id) WHERE (puzzle_channel IS NOT NULL);
CREATE INDEX unjudged_matches ON matches USING btree (id) WHERE unjudged;
CREATE INDEX unplayed_matches ON matches USING btree (id) WHERE (moves = ''::text);
