import { Button } from '../../components/controls/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { Section } from '../../components/display/section.tsx'
import { type Session, session, signOut } from '../../state/session.ts'
import { showError } from '../../state/undo.ts'
import { personText } from '../../text/person.ts'
import { settingsText } from '../../text/settings.ts'

/** Who is signed in, and the way out. */
export function Account() {
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
