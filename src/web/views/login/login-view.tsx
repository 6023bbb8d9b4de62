import { useEffect, useState } from 'preact/hooks'
import { Problem } from '../../api/problem.ts'
import { provider } from '../../base.ts'
import { Button } from '../../components/controls/button.tsx'
import { CopyButton } from '../../components/controls/copy-button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Logo } from '../../components/display/logo.tsx'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { Page } from '../../page/page.tsx'
import { navigate } from '../../state/location.ts'
import { noSession, session, signIn } from '../../state/session.ts'
import { loginText } from '../../text/login.ts'
import { afterLogin } from './after-login.ts'
import { LoginNotice } from './login-notice.tsx'
import css from './login-view.module.css'
import { takeOnceCode } from './once-code.ts'
import { ProviderLogin, SignInProblem } from './provider-login.tsx'

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
