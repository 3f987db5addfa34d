import { linkOptions } from '@tanstack/react-router'
import type { PagePath } from '../list/record-path.ts'

/** Section of the guide about each page and the pages below it: name of the page, and ID of the heading. */
export const guideSections: Readonly<Partial<Record<PagePath | '/reports', `${string}#${string}`>>> = {
  '/': 'console#',
  '/account': 'console#sign-in',
  '/accounts': 'console#apps-and-accounts',
  '/accounts-other': 'console#apps-and-accounts',
  '/administrators': 'console#sign-in',
  '/ai': 'apps#ai-tools',
  '/apps': 'apps#apps',
  '/apps-other': 'apps#apps',
  '/audit': 'audit#',
  '/browsers': 'console#enrollment-and-browsers',
  '/controls/banners': 'console#controls',
  '/controls/blocked-urls': 'console#controls',
  '/controls/catalog': 'console#controls',
  '/controls/extensions': 'console#controls',
  '/controls/priorities': 'priority#changing-the-points',
  '/controls/protections': 'console#controls',
  '/controls/rules': 'console#controls',
  '/controls/stolen-credentials': 'console#controls',
  '/detections': 'console#findings-and-detections',
  '/directory': 'scim#',
  '/employees': 'console#employees',
  '/enrollment': 'console#enrollment-and-browsers',
  '/extensions': 'console#browser-extensions',
  '/findings': 'findings#',
  '/incidents': 'console#incidents',
  '/installations': 'console#browser-extensions',
  '/keys': 'console#api-keys',
  '/notices': 'notices#',
  '/reports': 'trends#the-report',
  '/settings': 'console#settings',
  '/trends': 'trends#',
  '/alerts': 'alerts#destinations',
  '/webhooks': 'events#add-an-endpoint',
}

/** Returns the link to the section about a page. Without a section it leads to the guide. */
export function guideLink(pathname: string) {
  const sections: Readonly<Record<string, string>> = guideSections
  for (let path = pathname; path !== ''; path = path.slice(0, path.lastIndexOf('/'))) {
    const [id, hash] = sections[path]?.split('#') ?? []
    if (id !== undefined) return linkOptions({ to: '/guide/$id', params: { id }, ...(hash && { hash }) })
  }
  return linkOptions({ to: '/guide' })
}
