import { OpenObject } from '../../../../formats/schemas/nullable.ts'
import type { Config } from '../../../../runtime/config/configuration.ts'
import type { Caller } from '../../../access/caller.ts'
import { effectiveSettings } from '../../effective-settings.ts'
import { EffectiveSettings } from '../../model/admin.ts'
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
