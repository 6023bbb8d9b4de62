import { settingsText } from '../text/settings/settings.ts'
import type { Session } from './session.ts'

/** Pages of the settings, by the last part of their address. */
export type SettingsSection = keyof typeof settingsText.sections

const groups: readonly {
  readonly name: string
  readonly sections: readonly SettingsSection[]
  /** For admins only. */
  readonly isAdmin: boolean
}[] = [
  { name: settingsText.groups.person, sections: ['appearance', 'account'], isAdmin: false },
  { name: settingsText.groups.access, sections: ['keys', 'people', 'secrets', 'audit'], isAdmin: true },
  {
    name: settingsText.groups.project,
    sections: ['rules', 'alerts', 'runtimes', 'prices', 'retention', 'links'],
    isAdmin: false,
  },
  { name: settingsText.groups.server, sections: ['storage', 'health', 'jobs'], isAdmin: true },
]

/** Pages of the settings that a role may open, in groups. */
export const settingsGroups = (role: Session['role'] | undefined) =>
  groups.filter(({ isAdmin }) => !isAdmin || role === 'admin')

/** The same in one list, with their names. */
export const settingsSections = (role: Session['role'] | undefined) =>
  settingsGroups(role).flatMap(({ sections }) => sections.map((id) => ({ id, name: settingsText.sections[id] })))
