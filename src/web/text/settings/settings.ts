/** Words of the settings. */
export const settingsText = {
  name: 'Settings',
  server: (host: string) => `Server ${host}`,
  page: 'Settings page',
  adminOnly: 'This page is for admins',
  adminOnlyReason: (role: string) => `Your key has the role ${role}.`,
  groups: { person: 'You', access: 'Access', project: 'Project', server: 'Server' },
  sections: {
    appearance: 'Appearance',
    account: 'Session',
    keys: 'Keys',
    secrets: 'Provider secrets',
    audit: 'Audit log',
    rules: 'Rules',
    prices: 'Prices',
    retention: 'Retention',
    links: 'Shared links',
    storage: 'Storage',
    health: 'Health',
    jobs: 'Jobs',
  },
} as const
