import type { Config } from '../../config/configuration.ts'
import { effectiveSettings } from '../../features/admin/effective-settings.ts'
import type { Caller } from '../../foundation/access/caller.ts'
import { EffectiveSettings } from '../../model/admin.ts'
import { OpenObject } from '../../model/nullable.ts'
import { forOperators, requireOperator } from './require-operator.ts'

export const settingsRoute = {
  body: OpenObject({}),
  response: { 200: EffectiveSettings },
  detail: {
    operationId: 'service.settings',
    readOnly: true,
    summary: 'Get the configuration in effect',
    description: `Command line options included, secrets excluded. ${forOperators}`,
    tags: ['Administration'],
  },
}

export function settings(config: Config, caller: Caller): EffectiveSettings {
  requireOperator(caller)
  return effectiveSettings(config)
}
