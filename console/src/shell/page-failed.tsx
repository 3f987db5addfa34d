import type { ErrorComponentProps } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { messageOf } from '../data/console-send.ts'
import { PushButton } from '../ui/button.tsx'
import { Page } from '../ui/page/page.tsx'
import { PageHead } from '../ui/page/page-head.tsx'
import { PageNotLoaded } from './lazy-page.ts'

const reloadedKey = 'muster.reloadedMs'
const reloadEveryMs = 60_000

/** Replaces a page that failed. The rest of the console stays. */
export const PageFailed = ({ error, reset }: ErrorComponentProps) =>
  error instanceof PageNotLoaded ? (
    <NotLoadedPage error={error} reset={reset} />
  ) : (
    <Page>
      <PageHead title="Something went wrong" />
      <p className="soft">{messageOf(error)}</p>
      <span className="row">
        <PushButton kind="primary" onClick={() => location.reload()}>
          Reload page
        </PushButton>
      </span>
    </Page>
  )

/** Resolves to true if the server can be reached. Then the chunk is missing because the server has another version. */
const isOutdated = (): Promise<boolean> =>
  fetch('/console/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < reloadEveryMs) return
  sessionStorage.setItem(reloadedKey, String(Date.now()))
  location.reload()
}

/** Retries immediately, when the connection is back, and on request. */
function NotLoadedPage({ error, reset }: { error: PageNotLoaded; reset: () => void }) {
  const [busy, setBusy] = useState(true)
  const retry = useCallback(async () => {
    setBusy(true)
    if (await error.retry()) return reset()
    if (await isOutdated()) reloadOnce()
    setBusy(false)
  }, [error, reset])
  useEffect(() => {
    void retry()
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [retry])
  return (
    <Page>
      <PageHead title={navigator.onLine ? 'This page could not be loaded' : 'You are offline'} />
      <p className="soft" role="alert">
        This page loads as soon as the server can be reached. Pages you have already opened still work.
      </p>
      <span className="row">
        <PushButton kind="primary" busy={busy} onClick={() => void retry()}>
          Try again
        </PushButton>
      </span>
    </Page>
  )
}
