import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { rememberPage } from '../../data/recent-pages.ts'

/** The head of a page: its name, which is also that of the window, and what can be done there. */
export function PageHead({
  title,
  mark,
  children,
  aside,
}: {
  title: string
  /** A picture before the name. */
  mark?: ReactNode
  children?: ReactNode
  aside?: ReactNode
}) {
  const { pathname } = useLocation()
  useEffect(() => {
    document.title = `${title} · Muster`
    rememberPage({ path: pathname, title })
  }, [title, pathname])
  return (
    <header className="page-head">
      {mark}
      <h1>
        <bdi>{title}</bdi>
      </h1>
      {aside}
      <span className="grow" />
      {children}
    </header>
  )
}
