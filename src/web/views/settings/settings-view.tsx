import { Lock } from 'lucide'
import { useRoute } from 'preact-iso'
import { Button } from '../../components/controls/button.tsx'
import { Select } from '../../components/controls/select.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { Section } from '../../components/display/section.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { lazyPart } from '../../components/states/lazy-part.tsx'
import { Page } from '../../page/page.tsx'
import { navigate } from '../../state/location.ts'
import { settingsPath } from '../../state/paths.ts'
import { type Session, session, signOut } from '../../state/session.ts'
import { type SettingsSection, settingsGroups, settingsSections } from '../../state/settings-sections.ts'
import { showError } from '../../state/toasts.ts'
import { useIsPhone } from '../../state/use-media.ts'
import { personText } from '../../text/settings/person.ts'
import { settingsText } from '../../text/settings/settings.ts'
import { NotFound } from '../not-found/not-found-view.tsx'
import { Appearance } from './appearance.tsx'
import css from './settings-view.module.css'

/** The signed-in user, and the button to sign out. */
function Account() {
  const who = session.value
  if (!who) return null
  return (
    <Section
      title={settingsText.sections.account}
      lead={leadOf(who)}
      action={<Button onClick={() => signOut().catch(showError)}>{personText.signOut}</Button>}
    >
      <Facts
        facts={[
          [
            who.credential === 'account' ? personText.person : personText.key,
            <>
              {who.user_name} {who.user_id !== who.user_name && <code>{who.user_id}</code>}
            </>,
          ],
          [
            personText.role,
            <>
              <Badge tone={who.role === 'admin' ? 'accent' : 'neutral'}>{who.role}</Badge>{' '}
              {personText.roles[who.role].slice(who.role.length + 2)}
            </>,
          ],
          [personText.projects, who.projects.includes('*') ? personText.allProjects : who.projects.join(', ')],
          [personText.address, <code key="address">{who.public_url}</code>],
          [personText.version, who.version],
          [personText.dialect, who.dialect],
        ]}
      />
    </Section>
  )
}

const leadOf = ({ credential, provider }: Session): string =>
  credential === 'account' && provider !== null
    ? `${personText.accountLead(provider)} ${personText.accountEnds(provider)}`
    : `${personText.sessionLead} ${personText.ends}`

const Alerts = lazyPart(() => import('./alerts/alerts.tsx'))
const Audit = lazyPart(() => import('./audit/audit.tsx'))
const Health = lazyPart(() => import('./health.tsx'))
const JobList = lazyPart(() => import('./job-list.tsx'))
const Keys = lazyPart(() => import('./keys/keys.tsx'))
const Links = lazyPart(() => import('./links.tsx'))
const People = lazyPart(() => import('./keys/people.tsx'))
const Prices = lazyPart(() => import('./prices/prices.tsx'))
const Retention = lazyPart(() => import('./retention/retention.tsx'))
const Rules = lazyPart(() => import('./rules/rules.tsx'))
const Runtimes = lazyPart(() => import('./runtimes/runtimes.tsx'))
const Secrets = lazyPart(() => import('./secrets.tsx'))
const Storage = lazyPart(() => import('./storage.tsx'))

const pages = {
  appearance: Appearance,
  account: Account,
  keys: Keys,
  people: People,
  secrets: Secrets,
  audit: Audit,
  rules: Rules,
  alerts: Alerts,
  runtimes: Runtimes,
  prices: Prices,
  retention: Retention,
  links: Links,
  storage: Storage,
  health: Health,
  jobs: JobList,
} as const satisfies Record<SettingsSection, unknown>

/** The settings page: a section each for the person, access, models and the server. */
export default function SettingsView() {
  const { params } = useRoute()
  const named = params['section'] ?? 'appearance'
  return isSection(named) ? <SettingsPage section={named} /> : <NotFound />
}

const isSection = (name: string): name is SettingsSection => Object.hasOwn(pages, name)

function SettingsPage({ section }: { section: SettingsSection }) {
  const isPhone = useIsPhone()
  const role = session.value?.role
  const isAllowed = settingsSections(role).some(({ id }) => id === section)
  const Section = pages[section]
  return (
    <Page
      name={`${settingsText.sections[section]} · ${settingsText.name}`}
      title={
        <>
          {settingsText.name}
          <span class={css.server}>{settingsText.server(location.host)}</span>
        </>
      }
      class={css.body}
    >
      {isPhone ? (
        <Select
          class={css.choice}
          label={settingsText.page}
          hideLabel
          options={settingsSections(role).map(({ id, name }) => ({ id, label: name }))}
          value={section}
          onChange={(id) => navigate(settingsPath(id))}
        />
      ) : (
        <Sections current={section} />
      )}
      <div class={css.content} tabIndex={0} role="region" aria-label={settingsText.sections[section]}>
        <div class={css.column}>
          {isAllowed ? (
            <Section />
          ) : (
            <EmptyState icon={Lock} title={settingsText.adminOnly}>
              {settingsText.adminOnlyReason(role ?? '')}
            </EmptyState>
          )}
        </div>
      </div>
    </Page>
  )
}

const Sections = ({ current }: { current: SettingsSection }) => (
  <nav class={css.sections} aria-label={settingsText.name}>
    {settingsGroups(session.value?.role).map(({ name, sections }) => (
      <div key={name} class={css.group}>
        <h2>{name}</h2>
        <ul>
          {sections.map((id) => (
            <li key={id}>
              <a href={settingsPath(id)} aria-current={id === current ? 'page' : undefined}>
                {settingsText.sections[id]}
              </a>
            </li>
          ))}
        </ul>
      </div>
    ))}
  </nav>
)
