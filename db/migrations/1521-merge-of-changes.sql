-- Takes changes of an object together, later arguments win: a moment of the time machine reads thousands of them. No lock.
create aggregate jsonb_merge(jsonb) (sfunc = jsonb_concat, stype = jsonb, initcond = '{}');
