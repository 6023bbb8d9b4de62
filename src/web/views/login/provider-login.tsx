import { provider } from '../../base.ts'
import { Button } from '../../components/controls/button.tsx'
import { providerPath } from '../../state/paths.ts'
import { loginText } from '../../text/login.ts'
import { afterLogin } from './after-login.ts'
import { LoginNotice } from './login-notice.tsx'
import css from './login-view.module.css'

/** The way to the OpenID provider, if there is one. */
export const ProviderLogin = () =>
  provider === undefined ? null : (
    <>
      <Button kind="primary" size="large" onClick={() => location.assign(providerPath(afterLogin(location.search)))}>
        {loginText.signInWith(provider)}
      </Button>
      <p class={css.or}>{loginText.orKey}</p>
    </>
  )

/** Why signing in through the provider failed, as the address says. */
export function SignInProblem() {
  const query = new URLSearchParams(location.search)
  const code = query.get('problem') ?? ''
  const reference = query.get('reference') ?? ''
  if (!Object.hasOwn(loginText.problems, code)) return null
  const [title, text] = loginText.problems[code]!
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
