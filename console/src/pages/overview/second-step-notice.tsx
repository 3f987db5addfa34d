import type { Administrator } from '@muster/contract/console/console-fields'
import { Link } from '@tanstack/react-router'

/** Reminds administrators without two-step verification. */
export function SecondStepNotice({ person }: { person: Administrator | null }) {
  if (!person?.signsInByPassword || person.secondFactors.length > 0) return null
  return (
    <p className="notice warn">
      Two-step verification is off. <Link to="/account">Add an authenticator app or a passkey.</Link>
    </p>
  )
}
