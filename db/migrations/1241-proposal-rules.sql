-- Whether a proposal of planning again was accepted by the standing rule of its hub, or the limits of its request. A constant
-- default: nothing is rewritten.
alter table routing_proposals add column is_accepted_by_rule boolean not null default false;
