import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { rememberPage } from '../../data/recent-pages.ts'

/** Header of a page: its title, which is also the window title, and its actions. */
export function PageHead({
  title,
  mark,
  children,
  aside,
}: {
  title: string
  /** Icon before the title. */
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
