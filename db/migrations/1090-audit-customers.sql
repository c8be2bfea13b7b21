-- Notes changes of tracking pages and feedback in the audit trail. Triggers on tables that are small or new.
select audit_table('tracking_page_settings', 'tracking-page', 'organization_id', '', '', '{logo}');
select audit_table('customer_feedback', 'feedback', 'id', 'task_title', 'hub_id', '{}', '{read_time,read_by}');
