-- Notes changes of appointments and of the settings of customer messages in the audit trail. Triggers on small tables.
select audit_table('appointment_slots', 'appointment', 'id', '', 'hub_id', '{}', '{held_until}');
select audit_table('message_channels', 'message-channel', 'id', 'name', '', '{settings,secrets}');
select audit_table('message_opt_outs', 'message-opt-out', 'address', 'address');
select audit_table('message_settings', 'message-settings', 'organization_id', '');
select audit_table('message_templates', 'message-template', 'id', 'event', 'hub_id');
