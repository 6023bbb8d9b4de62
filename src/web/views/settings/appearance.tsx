import { keysOf } from '../../../lib/present.ts'
import { Checkbox } from '../../components/controls/checkbox.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { Select } from '../../components/controls/select.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { Section } from '../../components/display/section.tsx'
import { formatMoment } from '../../format/time.ts'
import { type Preferences, prefer, preferences } from '../../state/preferences.ts'
import { personText } from '../../text/settings/person.ts'
import { settingsText } from '../../text/settings/settings.ts'
import css from './settings.module.css'

/** Theme, density, time zone, keys. */
export function Appearance() {
  const { theme, density, timeZone, singleKeys } = preferences.value
  return (
    <Section title={settingsText.sections.appearance} lead={personText.appearanceLead}>
      <Facts
        facts={[
          [
            personText.theme,
            <Segments
              key="theme"
              label={personText.theme}
              current={theme}
              options={choices(personText.themes)}
              onSelect={(next: Preferences['theme']) => prefer({ theme: next })}
            />,
          ],
          [
            <Named key="density" name={personText.density} hint={personText.densityHint} />,
            <Segments
              key="density"
              label={personText.density}
              current={density}
              options={choices(personText.densities)}
              onSelect={(next: Preferences['density']) => prefer({ density: next })}
            />,
          ],
          [
            <Named key="zone" name={personText.timeZone} hint={personText.now(formatMoment(Date.now()))} />,
            <Select
              key="zone"
              class={css.choice}
              label={personText.timeZone}
              hideLabel
              value={timeZone}
              options={zones()}
              onChange={(next) => prefer({ timeZone: next })}
            />,
          ],
          [
            <Named key="keys" name={personText.singleKeys} hint={personText.singleKeysHint} />,
            <Checkbox
              key="keys"
              checked={singleKeys}
              label={personText.singleKeys}
              onChange={(checked) => prefer({ singleKeys: checked })}
            />,
          ],
        ]}
      />
    </Section>
  )
}

const Named = ({ name, hint }: { name: string; hint: string }) => (
  <>
    {name}
    <span class={css.hint}>{hint}</span>
  </>
)

const choices = <Id extends string>(words: Readonly<Record<Id, string>>) =>
  keysOf(words).map((id) => ({ id, label: words[id] }))

const zones = () => [
  { id: 'local', label: personText.local(Intl.DateTimeFormat().resolvedOptions().timeZone) },
  { id: 'UTC', label: 'UTC' },
  ...Intl.supportedValuesOf('timeZone').map((zone) => ({ id: zone, label: zone.replaceAll('_', ' ') })),
]
