-- The day on which a message was counted towards its channel's limit and cost. Null: it was not counted, or given back because it
-- was not sent.

alter table customer_messages add column counted_day date;
