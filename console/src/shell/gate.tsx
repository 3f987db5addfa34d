import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { messageOf } from '../data/console-send.ts'
import { useSession } from '../data/session.ts'
import { PushButton } from '../ui/button.tsx'
import { SignInAgain } from './sign-in-again.tsx'

const SignInPage = lazy(() =>
  import('../pages/entry/sign-in-page.tsx').then(({ SignInPage }) => ({ default: SignInPage })),
)
const Shell = lazy(() => import('./shell.tsx').then(({ Shell }) => ({ default: Shell })))

const publicPaths = /^(?:\/console)?\/(?:setup|invitation|reset)\/?$/

/**
 * Lets people in: pages of links at once, all others when they are signed in. Until then the sign-in stands at the same
 * address, so that they are where they wanted to go afterwards. When a session ends by itself the sign-in stands above the
 * page: what was being filled in is there afterwards, for the same person.
 */
export function Gate() {
  const { pathname } = useLocation()
  const { data: session, error, refetch } = useSession()
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
  if (!session) return null
  return (
    <Suspense>
      {publicPaths.test(pathname) ? (
        <Outlet />
      ) : session.state === 'SIGNED_IN' ? (
        <>
          <Shell key={session.administrator?.id} />
          {session.again && (
            <SignInAgain>
              <SignInPage state={session.again} again />
            </SignInAgain>
          )}
        </>
      ) : (
        <SignInPage state={session} />
      )}
    </Suspense>
  )
}
