-- Further tags of places and points of interest, such as opening hours and phone numbers, for extratags=1 in searches.
-- Maps that are installed have none until their file is added again. The column has no default: the lock on place_entries
-- and its partitions is held for milliseconds, whatever their size.
alter table place_entries add column extratags jsonb;
