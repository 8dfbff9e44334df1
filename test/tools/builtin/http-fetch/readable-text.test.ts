import { describe, expect, it } from 'vitest'
import { readableText } from '../../../../src/tools/builtin/http-fetch/readable-text.ts'

const BASE = new URL('https://a.example/x/y')

function read(html: string, signal = new AbortController().signal) {
  return readableText(html, BASE, signal)
}

describe('HTML as readable text', () => {
  it.each([
    ['words', 'One&nbsp;&amp; <b>t</b>wo\n\n  <i>three</i> ,four', 'One & two three ,four'],
    ['paragraphs', '<p>One</p>\n<p>two<p>three', 'One\n\ntwo\n\nthree'],
    ['lines', 'a<br>b<div>c</div>d<div><div>e</div></div>', 'a\nb\nc\nd\ne'],
    ['headings', '<h1>One</h1><h3><a>Two</a></h3>x<h2></h2>y', '# One\n\n### Two\n\nx\n\ny'],
    ['lists', '<ul><li>a<li><p>b</p></li><li></li></ul>c', '- a\n- b\n\nc'],
    ['numbers', '<ol><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ol>', '1. a\n2. b\n  - c\n3. d'],
    [
      'tables',
      '<table><tr><th>a</th> <th>b</th></tr>\n<tr><td>1</td><td>2</td></tr></table>',
      'a | b\n1 | 2',
    ],
    ['code', '<p>x</p><pre>  if\n    then\n</pre>y', 'x\n\n  if\n    then\n\n\ny'],
    ['a link', 'see <a href="z?q=1">it</a>.', 'see it (https://a.example/x/z?q=1).'],
    ['a link of a page to itself', '<a href="#top">up</a>', 'up'],
    ['a link to code', '<a href="javascript:x()">do</a>', 'do'],
    ['a link without a text', '<a href="/z"><img src="i.png"></a>', ''],
    ['scripts and styles', 'a<script>b<p></script><style>c</style><!-- d --><noscript>e</noscript>f', 'af'],
    ['a title', '<html><head><title>T</title><meta name=a></head><body>b', 'T\n\nb'],
    ['what is never closed', '<div><b>a<p>b<script>c', 'a\n\nb'],
    ['nothing', '', ''],
  ])('shows %s', async (_what, html, text) => {
    expect(await read(html)).toBe(text)
  })

  it('stops at what is nested without end', async () => {
    expect(await read(`<p>before${'<div>'.repeat(200_000)}deep`)).toBe(
      'before\n\n[… the rest of the page is nested too deeply]',
    )
  })

  it('reads pages that are large, across the slices that they are read in', async () => {
    const text = await read('<p>one <b>two</b></p>'.repeat(50_000))
    expect(text).toHaveLength(50_000 * 'one two\n\n'.length - 2)
    expect(new Set(text.split('\n\n'))).toEqual(new Set(['one two']))
  })

  it('fails with the reason of an abort', async () => {
    await expect(read('<p>x', AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
  })
})
