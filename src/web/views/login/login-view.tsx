import { useEffect, useState } from 'preact/hooks'
import { Problem } from '../../api/problem.ts'
import { provider } from '../../base.ts'
import { Page } from '../../page/page.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Field } from '../../parts/field.tsx'
import { Logo } from '../../parts/logo.tsx'
import { StatusIcon } from '../../parts/status-icon.tsx'
import { navigate } from '../../state/location.ts'
import { session, signIn } from '../../state/session.ts'
import { loginText } from '../../text/login.ts'
import { afterLogin } from './after-login.ts'
import css from './login-view.module.css'
import { takeOnceCode } from './once-code.ts'
import { ProviderLogin, SignInProblem } from './provider-login.tsx'

const command = 'tracelake open'

/** Signs in with a key, or with the one-time code in the fragment of the address. */
export default function LoginView() {
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string>()
  const [once, setOnce] = useState<string | undefined>(takeOnceCode)
  const [isBusy, setBusy] = useState(false)
  const open = () => navigate(afterLogin(location.search), { replace: true })

  const enter = async (credential: { key: string } | { once: string }): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await signIn(credential)
      open()
    } catch (error) {
      setProblem(explained(error, 'once' in credential))
      setOnce(undefined)
      setBusy(false)
    }
  }
  useEffect(() => {
    if (once !== undefined) void enter({ once })
    else if (session.peek()) open()
  }, [])

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
            <div class={css.help}>
              <h2>{loginText.helpHead}</h2>
              <p>{loginText.help}</p>
              <div class={css.command}>
                <code>{command}</code>
                <CopyButton text={command} />
              </div>
            </div>
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

function explained(error: unknown, isLink: boolean): string {
  if (!(error instanceof Problem)) return String(error)
  if (error.status === 429) return loginText.tooMany
  if (error.status !== 401) return error.message
  return isLink ? loginText.linkSpent : loginText.refused
}
