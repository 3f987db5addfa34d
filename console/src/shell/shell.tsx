import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import {
  BookOpen,
  Clock,
  Keyboard,
  LogOut,
  Menu as MenuIcon,
  Monitor,
  Moon,
  Search,
  Sun,
  UserRoundKey,
} from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { messageOf } from '../data/console-send.ts'
import { signOut, useCovered, useSession } from '../data/session.ts'
import { useSignInError } from '../data/sign-in-error.ts'
import { BrandMark } from '../ui/brand-mark.tsx'
import { PushButton } from '../ui/button.tsx'
import { ActionMenu } from '../ui/dialog/menu.tsx'
import { clearToasts, showToast, undoLast } from '../ui/dialog/toasts.tsx'
import { useKeys } from '../ui/keys/use-keys.ts'
import { labelOf } from '../ui/text/labels.ts'
import { setTimeZone, useTimeZone } from '../ui/text/time-zone.ts'
import { readTheme, setTheme, type Theme } from '../ui/theme.ts'
import { CommandPalette } from './command-palette.tsx'
import { guideLink } from './guide-links.ts'
import { KeyHelp } from './key-help.tsx'
import { navGroups, navPages } from './nav-pages.ts'
import { NotLoaded } from './not-loaded.tsx'
import { ReauthenticationDialog } from './reauthentication-dialog.tsx'

const goGroup = 'Go to'

/** Frame of every page: navigation, command palette and account menu. */
export function Shell() {
  const { pathname, href } = useLocation()
  const navigate = useNavigate()
  const main = useRef<HTMLElement>(null)
  const [sideOpen, setSideOpen] = useState(false)
  const [open, setOpen] = useState<'palette' | 'help' | undefined>()
  const covered = useCovered()

  useKeys([
    { keys: '?', title: 'Show keyboard shortcuts', group: 'Everywhere', run: () => setOpen('help') },
    { keys: 'z', title: 'Undo last action', group: 'Everywhere', run: undoLast },
    ...navPages
      .filter(({ key }) => key !== undefined)
      .map(({ key, title, path }) => ({
        keys: `g ${key}`,
        title,
        group: goGroup,
        run: () => void navigate({ to: path }),
      })),
  ])
  useEffect(() => {
    if (covered) return
    const onPalette = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      setOpen((now) => (now === 'palette' ? undefined : 'palette'))
    }
    addEventListener('keydown', onPalette)
    return () => removeEventListener('keydown', onPalette)
  }, [covered])
  // biome-ignore lint/correctness/useExhaustiveDependencies: close the navigation when the page changes
  useEffect(() => setSideOpen(false), [href])
  useEffect(() => clearToasts, [])
  const refused = useSignInError('proof')
  useEffect(() => {
    if (refused !== undefined) showToast(refused, true)
  }, [refused])
  const came = useRef(pathname)
  useEffect(() => {
    if (came.current === pathname) return
    came.current = pathname
    main.current?.scrollTo(0, 0)
    // The next Tab reaches the page content instead of the whole navigation.
    main.current?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <div className="shell">
      <PushButton kind="skip" onClick={() => main.current?.focus()}>
        Skip to content
      </PushButton>
      <header className="top-bar">
        <PushButton
          kind="quiet icon"
          aria-label="Open navigation"
          aria-expanded={sideOpen}
          onClick={() => setSideOpen(true)}
        >
          <MenuIcon />
        </PushButton>
        <Link to="/" className="brand-name grow">
          Muster
        </Link>
        <PushButton kind="quiet icon" aria-label="Search" onClick={() => setOpen('palette')}>
          <Search />
        </PushButton>
      </header>
      {sideOpen && <div className="scrim" aria-hidden="true" onClick={() => setSideOpen(false)} />}
      <Side
        open={sideOpen}
        pathname={pathname}
        onSearch={() => setOpen('palette')}
        onHelp={() => setOpen('help')}
      />
      <main ref={main} id="main" className="main" tabIndex={-1}>
        <NotLoaded />
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      {open === 'palette' && (
        <CommandPalette onClose={() => setOpen(undefined)} onHelp={() => setOpen('help')} />
      )}
      {open === 'help' && <KeyHelp onClose={() => setOpen(undefined)} />}
      <ReauthenticationDialog />
    </div>
  )
}

function Side({
  open,
  pathname,
  onSearch,
  onHelp,
}: {
  open: boolean
  pathname: string
  onSearch: () => void
  onHelp: () => void
}) {
  const { data: session } = useSession()
  const isAt = (path: string) => (path === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${path}/`))
  return (
    <nav className={open ? 'side open' : 'side'} aria-label="Console">
      <Link to="/" className="brand">
        <BrandMark />
        <span>
          <span className="brand-name">Muster</span>
          <span className="brand-org">{session?.organization}</span>
        </span>
      </Link>
      <PushButton kind="page-search" onClick={onSearch}>
        <span className="row">
          <Search />
          Search
        </span>
        <kbd>{/Mac/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'}</kbd>
      </PushButton>
      {navGroups.map(({ heading, pages: group }) => (
        <div key={heading}>
          {heading !== null && <h2 className="nav-heading">{heading}</h2>}
          <ul>
            {group.map(({ path, title, icon: Icon }) => (
              <li key={path}>
                <Link to={path} className="nav-link" aria-current={isAt(path) ? 'page' : undefined}>
                  <Icon aria-hidden />
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className="side-foot">
        <Link {...guideLink(pathname)} className="nav-link">
          <BookOpen aria-hidden />
          Guide to this page
        </Link>
        <AccountMenu onHelp={onHelp} />
      </div>
    </nav>
  )
}

const themes: readonly { theme: Theme; text: string; icon: typeof Sun }[] = [
  { theme: 'light', text: 'Light', icon: Sun },
  { theme: 'dark', text: 'Dark', icon: Moon },
  { theme: 'system', text: 'System', icon: Monitor },
]

function AccountMenu({ onHelp }: { onHelp: () => void }) {
  const navigate = useNavigate()
  const { data: session } = useSession()
  const zone = useTimeZone()
  const person = session?.administrator
  if (!person) return null
  const leave = () => void signOut().catch((error: unknown) => showToast(messageOf(error), true))
  return (
    <ActionMenu
      className="button quiet account-button"
      actions={[
        {
          id: 'account',
          text: 'Security and sessions',
          icon: <UserRoundKey />,
          run: () => void navigate({ to: '/account' }),
        },
        ...themes
          .filter(({ theme }) => theme !== readTheme())
          .map(({ theme, text, icon: Icon }) => ({
            id: theme,
            text: `Theme: ${text.toLowerCase()}`,
            icon: <Icon />,
            run: () => setTheme(theme),
          })),
        {
          id: 'zone',
          text: zone === 'utc' ? 'Show local times' : 'Show times in UTC',
          icon: <Clock />,
          run: () => setTimeZone(zone === 'utc' ? 'local' : 'utc'),
        },
        { id: 'keys', text: 'Keyboard shortcuts', icon: <Keyboard />, run: onHelp },
        { id: 'out', text: 'Sign out', icon: <LogOut />, run: leave },
      ]}
    >
      <span className="avatar" aria-hidden="true">
        {(person.name || person.email).slice(0, 1).toUpperCase()}
      </span>
      <span className="who grow">
        <span>{person.name || person.email}</span>
        <span className="soft small">{labelOf(person.role)}</span>
      </span>
    </ActionMenu>
  )
}
