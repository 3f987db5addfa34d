import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { imagePrefix, renderGuide } from '../../guide-markdown.ts'
import { guideLink, guideSections } from './guide-links.ts'
import { navPages } from './nav-pages.ts'

const folder = join(import.meta.dirname, '../../../docs/guide')
const pages = readdirSync(folder)
  .filter((file) => file.endsWith('.md'))
  .map((file) => renderGuide(file.slice(0, -3), readFileSync(join(folder, file), 'utf8')))
const anchors = new Map(
  pages.map(({ name, html }) => [name, ['', ...[...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)]]),
)

describe('the guide in the console', () => {
  test('each page of the console has a section of the guide that exists', () => {
    for (const [path, section] of Object.entries(guideSections)) {
      const [page = '', hash = ''] = section.split('#')
      expect([path, anchors.get(page) ?? []]).toEqual([path, expect.arrayContaining([hash])])
    }
    const without = navPages.filter(({ path }) => !(path in guideSections)).map(({ path }) => path)
    expect(without).toEqual(['/guide'])
  })

  test('the page of a record has the section of its list, an unknown path the first page', () => {
    expect(guideLink('/employees/some-id')).toMatchObject({ params: { id: 'console' }, hash: 'employees' })
    expect(guideLink('/nowhere')).toEqual({ to: '/guide' })
  })

  test('links between pages lead to sections that exist, images are files, and nothing needs another server or a script', () => {
    for (const { name, html } of pages) {
      for (const [, page = '', hash = ''] of html.matchAll(/href="\/console\/guide\/([\w-]+)(?:#([^"]*))?"/g))
        expect([name, page, anchors.get(page) ?? []]).toEqual([name, page, expect.arrayContaining([hash])])
      for (const [, source = ''] of html.matchAll(/\ssrc(?:set)?="([^"]+)"/g))
        expect(readdirSync(join(folder, 'images'))).toContain(source.replace(imagePrefix, ''))
      expect(html).not.toMatch(/<script|<style|\sstyle=|<iframe|\son\w+="|href="javascript:/i)
    }
  })

  test('markup in code is shown as text', () => {
    const { html } = renderGuide('x', '# T\n\n```html\n<b>&amp;</b>\n```\n\n`<i>`')
    expect(html).toContain('<pre tabindex="0"><code>&lt;b>&amp;amp;&lt;/b></code></pre>')
    expect(html).toContain('<code>&lt;i&gt;</code>')
  })
})
