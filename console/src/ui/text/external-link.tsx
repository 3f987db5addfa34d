import { isWebAddress } from '../../data/http-address.ts'

/** A link to a site of somebody else, if the address is one of the web; any other address is shown as text. */
export function ExternalLink({ url }: { url: string }) {
  if (!isWebAddress(url)) return <bdi>{url}</bdi>
  return (
    <a href={url} rel="noreferrer" target="_blank">
      <bdi>{url.replace(/^https?:\/\//i, '')}</bdi>
    </a>
  )
}
