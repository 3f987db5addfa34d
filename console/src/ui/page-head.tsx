import type { ReactNode } from 'react'
import { useEffect } from 'react'

/** The head of a page: its name, which is also that of the window, and what can be done there. */
export function PageHead({
  title,
  children,
  aside,
}: {
  title: string
  children?: ReactNode
  aside?: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Muster`
  }, [title])
  return (
    <header className="page-head">
      <h1>{title}</h1>
      {aside}
      <span className="grow" />
      {children}
    </header>
  )
}
