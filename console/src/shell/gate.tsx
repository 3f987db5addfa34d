import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import { messageOf } from '../data/console-send.ts'
import { useSession } from '../data/session.ts'
import { PushButton } from '../ui/button.tsx'
import { SignInAgain } from './sign-in-again.tsx'
import { Splash } from './splash.tsx'
import { useLoaded } from './use-loaded.ts'

const loadSignIn = () => import('../pages/entry/sign-in-page.tsx')
const loadShell = () => import('./shell.tsx')
// Preload: most visitors are signed in, and the others need it right after signing in.
loadShell().catch(() => undefined)

const publicPaths = /^(?:\/console)?\/(?:setup|invitation|reset)\/?$/

/**
 * Shows the pages of one-time links to everyone and all others to signed-in administrators. The sign-in keeps the URL, so
 * it continues to the requested page. When a session expires, the sign-in covers the page, to keep unsaved work for the
 * same person.
 */
export function Gate() {
  const { pathname } = useLocation()
  const { data: session, error, refetch } = useSession()
  const isPublic = publicPaths.test(pathname)
  const isIn = !isPublic && session?.state === 'SIGNED_IN'
  const signingIn = isIn ? session.again : isPublic ? undefined : session
  const { Shell } = useLoaded(loadShell, isIn) ?? {}
  const { SignInPage } = useLoaded(loadSignIn, signingIn !== undefined) ?? {}
  if (error && !session)
    return (
      <div className="entry">
        <div className="entry-card">
          <h1>Muster cannot be reached</h1>
          <p className="soft">{messageOf(error)}</p>
          <PushButton kind="primary" onClick={() => void refetch()}>
            Try again
          </PushButton>
        </div>
      </div>
    )
  const isComing = isPublic ? !session : isIn ? !Shell : !SignInPage
  if (!session || isComing) return <Splash />
  return (
    <Suspense>
      {isPublic && <Outlet />}
      {isIn && Shell && <Shell key={session.administrator?.id} />}
      {isIn && signingIn && <SignInAgain>{SignInPage && <SignInPage state={signingIn} again />}</SignInAgain>}
      {!isIn && signingIn && SignInPage && <SignInPage state={signingIn} />}
    </Suspense>
  )
}
