-- Notes consents to positions and settings of reports in the audit trail. Triggers on small tables.
select audit_table('position_consents', 'position-consent', 'id', '');
select audit_table('report_settings', 'report-settings', 'flow_id', '');
