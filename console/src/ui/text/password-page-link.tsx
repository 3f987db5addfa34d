import type { PasswordPage } from '@muster/contract/console/console-inventory'
import { useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/call.ts'
import { ExternalLink } from './external-link.tsx'

/** Returns the page where the password of an app is changed; undefined while loading. */
export const usePasswordPage = (appId: string | null) =>
  useQuery({
    queryKey: ['password-page', appId],
    queryFn: () => callConsole('readPasswordPage', { id: appId ?? '' }),
    enabled: appId !== null,
    staleTime: 60_000,
  }).data

/** Link to the page where the password is changed. */
export function PasswordPageLink({ page }: { page: PasswordPage | undefined }) {
  if (!page?.url) return null
  const { url, changesPassword } = page
  return (
    <p>
      {changesPassword ? 'Change the password at ' : 'Sign in to change the password: '}
      <ExternalLink url={url} />
    </p>
  )
}
