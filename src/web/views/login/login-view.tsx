import { TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem } from '../../api/client.ts'
import { provider } from '../../base.ts'
import { Button } from '../../components/controls/button.tsx'
import { CopyButton } from '../../components/controls/copy-button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { Logo } from '../../components/display/logo.tsx'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { Page } from '../../page/page.tsx'
import { navigate } from '../../state/location.ts'
import { homePath, providerPath } from '../../state/paths.ts'
import { noSession, session, signIn } from '../../state/session.ts'
import { loginText } from '../../text/login.ts'
import css from './login-view.module.css'

/**
 * The address to continue at after the login: the requested page, if it belongs to this UI. Any
 * other address could be an attempt to redirect people elsewhere.
 */
function afterLogin(search: string): string {
  const next = new URLSearchParams(search).get('next')
  if (next === null) return homePath
  const url = URL.parse(next, location.origin)
  const isOurs = url?.origin === location.origin && url.pathname.startsWith(homePath)
  return isOurs ? url.pathname + url.search : homePath
}

/** Why someone is not, or no longer, signed in. */
const LoginNotice = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div class={css.problem} role="alert">
    <Icon of={TriangleAlert} />
    <h2>{title}</h2>
    {children}
  </div>
)

/** The way to the OpenID provider, if there is one. */
const ProviderLogin = () =>
  provider === undefined ? null : (
    <>
      <Button kind="primary" size="large" onClick={() => location.assign(providerPath(afterLogin(location.search)))}>
        {loginText.signInWith(provider)}
      </Button>
      <p class={css.or}>{loginText.orKey}</p>
    </>
  )

/** Why signing in through the provider failed, as the address says. */
function SignInProblem() {
  const query = new URLSearchParams(location.search)
  const code = query.get('problem') ?? ''
  const reference = query.get('reference') ?? ''
  const problem = Object.hasOwn(loginText.problems, code) ? loginText.problems[code] : undefined
  if (!problem) return null
  const [title, text] = problem
  return (
    <LoginNotice title={title}>
      <p>{text}</p>
      {/^[0-9a-f]{8}$/.test(reference) && (
        <small>
          {loginText.reference} <code>{reference}</code>
        </small>
      )}
    </LoginNotice>
  )
}

/**
 * The one-time code in the fragment of the address. It is taken out of the address at once, so that
 * it stays neither in the history nor on the screen.
 */
function takeOnceCode(): string | undefined {
  const once = new URLSearchParams(location.hash.slice(1)).get('once')
  if (once === null) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return once
}

/** Signs in with a key, or with the one-time code in the fragment of the address. */
export default function LoginView() {
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string>()
  const [linkProblem, setLinkProblem] = useState<string>()
  const [once, setOnce] = useState<string | undefined>(takeOnceCode)
  const [isBusy, setBusy] = useState(false)
  const open = () => navigate(afterLogin(location.search), { replace: true })

  const enter = async (credential: { key: string } | { once: string }): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    setLinkProblem(undefined)
    try {
      await signIn(credential)
      open()
    } catch (error) {
      // Whoever is signed in already needs no link.
      if ('once' in credential && session.peek()) return open()
      if ('once' in credential) setLinkProblem(explained(error, loginText.linkSpent))
      else setProblem(explained(error, loginText.refused))
      setOnce(undefined)
      setBusy(false)
    }
  }
  useEffect(() => {
    if (once !== undefined) void enter({ once })
    else if (session.peek()) open()
    // A link that is opened in the tab of this page changes only the fragment.
    const onLink = () => {
      const next = takeOnceCode()
      setOnce(next)
      if (next !== undefined) void enter({ once: next })
    }
    addEventListener('hashchange', onLink)
    return () => removeEventListener('hashchange', onLink)
  }, [])
  const { ended, open_command: command } = noSession.value ?? {}

  return (
    <Page name={loginText.signIn} class={css.body}>
      <form
        class={css.box}
        onSubmit={(event) => {
          event.preventDefault()
          void enter({ key: key.trim() })
        }}
      >
        <Logo size={24} />
        <h1 class={css.title}>{loginText.title}</h1>
        {once === undefined ? (
          <>
            <SignInProblem />
            {linkProblem !== undefined ? (
              <LoginNotice title={loginText.linkFailed}>
                <p>{linkProblem}</p>
              </LoginNotice>
            ) : (
              ended && (
                <LoginNotice title={loginText.ended[ended][0]}>
                  <p>{loginText.ended[ended][1]}</p>
                </LoginNotice>
              )
            )}
            <ProviderLogin />
            <Field
              label={loginText.key}
              type="password"
              autocomplete="current-password"
              mono
              autofocus={provider === undefined}
              required
              value={key}
              hint={loginText.hint}
              error={problem}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
            <Button
              kind={provider === undefined ? 'primary' : 'default'}
              size="large"
              type="submit"
              busy={isBusy}
              disabled={key.trim() === ''}
            >
              {loginText.signIn}
            </Button>
            {command !== undefined && (
              <div class={css.help}>
                <h2>{loginText.helpHead}</h2>
                <p>{loginText.help}</p>
                <div class={css.command}>
                  <code>{command}</code>
                  <CopyButton text={command} />
                </div>
              </div>
            )}
          </>
        ) : (
          <p class={css.busy} role="status">
            <StatusIcon status="running" hidden />
            {loginText.signingIn}
          </p>
        )}
      </form>
    </Page>
  )
}

function explained(error: unknown, refused: string): string {
  if (!(error instanceof Problem)) return String(error)
  if (error.status === 429) return loginText.tooMany
  return error.status === 401 ? refused : error.message
}
