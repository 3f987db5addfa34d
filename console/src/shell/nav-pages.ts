import {
  AppWindow,
  Ban,
  BellRing,
  BookOpen,
  Bug,
  Contact,
  Fingerprint,
  FolderSync,
  Globe,
  KeyRound,
  KeySquare,
  Layers,
  LayoutDashboard,
  ListOrdered,
  type LucideIcon,
  Mail,
  Megaphone,
  MonitorDown,
  PackageX,
  Puzzle,
  ScrollText,
  Settings,
  Shield,
  ShieldAlert,
  ShieldCheck,
  SlidersHorizontal,
  Sparkles,
  TrendingUp,
  UserRoundKey,
  Users,
  Webhook,
} from 'lucide-react'
import type { PagePath } from '../list/record-path.ts'

/** A page in the navigation and the command palette. */
export interface NavPage {
  readonly path: PagePath
  readonly title: string
  readonly icon: LucideIcon
  /** Key to press after `g`. */
  readonly key?: string
}

/** Pages of the navigation by heading. */
export const navGroups: readonly { readonly heading: string | null; readonly pages: readonly NavPage[] }[] = [
  {
    heading: null,
    pages: [
      { path: '/', title: 'Overview', icon: LayoutDashboard, key: 'o' },
      { path: '/trends', title: 'Trends', icon: TrendingUp, key: 'r' },
    ],
  },
  {
    heading: 'Respond',
    pages: [
      { path: '/incidents', title: 'Incidents', icon: Layers, key: 'n' },
      { path: '/detections', title: 'Detections', icon: ShieldAlert, key: 'd' },
      { path: '/findings', title: 'Findings', icon: Bug, key: 'f' },
    ],
  },
  {
    heading: 'Inventory',
    pages: [
      { path: '/employees', title: 'Employees', icon: Users, key: 'e' },
      { path: '/accounts', title: 'Accounts', icon: Contact, key: 'a' },
      { path: '/accounts-other', title: 'Unrecognized accounts', icon: Contact },
      { path: '/apps', title: 'Apps', icon: AppWindow, key: 'p' },
      { path: '/apps-other', title: 'Unrecognized apps', icon: AppWindow },
      { path: '/ai', title: 'AI tools', icon: Sparkles, key: 'i' },
      { path: '/browsers', title: 'Browsers', icon: Globe, key: 'b' },
      { path: '/extensions', title: 'Browser extensions', icon: Puzzle, key: 'x' },
    ],
  },
  {
    heading: 'Controls',
    pages: [
      { path: '/controls/blocked-urls', title: 'Blocked addresses', icon: Ban, key: 'u' },
      { path: '/controls/protections', title: 'Protections', icon: Shield, key: 't' },
      { path: '/controls/banners', title: 'App banners', icon: Megaphone },
      { path: '/controls/extensions', title: 'Extension lists', icon: PackageX },
      { path: '/controls/stolen-credentials', title: 'Stolen credentials', icon: KeySquare },
      { path: '/controls/catalog', title: 'Custom apps and providers', icon: Fingerprint },
      { path: '/controls/rules', title: 'Password rules and thresholds', icon: SlidersHorizontal },
      { path: '/controls/priorities', title: 'Priorities', icon: ListOrdered },
    ],
  },
  {
    heading: 'Manage',
    pages: [
      { path: '/enrollment', title: 'Enrollment', icon: MonitorDown },
      { path: '/directory', title: 'Directory', icon: FolderSync },
      { path: '/keys', title: 'API keys', icon: KeyRound, key: 'k' },
      { path: '/alerts', title: 'Alerts', icon: BellRing, key: 'c' },
      { path: '/webhooks', title: 'Webhooks', icon: Webhook, key: 'w' },
      { path: '/audit', title: 'Audit trail', icon: ScrollText, key: 'l' },
      { path: '/notices', title: 'Notices', icon: Mail },
      { path: '/administrators', title: 'Administrators', icon: ShieldCheck },
      { path: '/settings', title: 'Settings', icon: Settings, key: 's' },
    ],
  },
]

/** All pages. Those that are not in the navigation come last. */
export const navPages: readonly NavPage[] = [
  ...navGroups.flatMap((group) => group.pages),
  { path: '/installations', title: 'Installed extensions', icon: Puzzle },
  { path: '/guide', title: 'Guide', icon: BookOpen, key: 'h' },
  { path: '/account', title: 'Security and sessions', icon: UserRoundKey },
]
