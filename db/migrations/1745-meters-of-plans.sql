-- Positions from before a maintenance that arrive after it was logged moved the odometer, but not the reading that the plan counts
-- from: the plan became due too early. Locks the table of plans for a moment.
alter table maintenance_plans add read_at timestamptz;
