import { TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from '../../components/display/icon.tsx'
import css from './login-view.module.css'

/** Why someone is not, or no longer, signed in. */
export const LoginNotice = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div class={css.problem} role="alert">
    <Icon of={TriangleAlert} />
    <h2>{title}</h2>
    {children}
  </div>
)
