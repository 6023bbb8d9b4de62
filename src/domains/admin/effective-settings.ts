import { version } from '../../lib/version.ts'
import type { Config } from '../../runtime/config/configuration.ts'
import { type SettingName, secretSettings, settings } from '../../runtime/config/setting-names.ts'
import { settingValues } from '../../runtime/config/setting-values.ts'
import { loadConfig } from '../../runtime/config.ts'
import { processStats, runtimeName } from '../../runtime/platform/processes/process-stats.ts'
import { platformName } from '../../runtime/platform/runtime.ts'
import type { EffectiveSettings } from './model/admin.ts'

type Setting = EffectiveSettings['settings'][number]

/** The settings as they are in effect; secrets are left out. */
export function effectiveSettings(config: Config): EffectiveSettings {
  return {
    version,
    runtime: runtimeName(),
    platform: platformName(),
    started_at: new Date(processStats().startedAtSeconds * 1000).toISOString(),
    settings: settings.map((name) => ({
      name: `TRACELAKE_${name}`,
      value: settingValues[name](config),
      is_secret: secretSettings.has(name),
      source: sourceOf(name, config),
    })),
  }
}

/** Settings that are command line options too. */
const options: ReadonlySet<SettingName> = new Set<SettingName>([
  'BASE_PATH',
  'CACHE_MB',
  'DATA',
  'DIALECT',
  'HOST',
  'LAKE',
  'PORT',
])

function sourceOf(name: SettingName, config: Config): Setting['source'] {
  const text = config.variable(`TRACELAKE_${name}`)
  const value = settingValues[name](config)
  const isAsStated = text === undefined ? value === settingValues[name](defaults) : text === String(value)
  if (options.has(name) && !isAsStated) return 'option'
  if (text === undefined) return 'default'
  return config.isFromFile(name) ? 'file' : 'environment'
}

const defaults = loadConfig({}, () => undefined)
