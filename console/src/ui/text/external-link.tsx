import { isWebAddress } from '../../data/http-address.ts'

/** Link to another site if the address is http(s). Other addresses are shown as text. */
export function ExternalLink({ url }: { url: string }) {
  if (!isWebAddress(url)) return <bdi>{url}</bdi>
  return (
    <a href={url} rel="noreferrer" target="_blank">
      <bdi>{url.replace(/^https?:\/\//i, '')}</bdi>
    </a>
  )
}
