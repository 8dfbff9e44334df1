import { describe, expect, it } from 'vitest'
import { kindsIn } from './plain-redactor.ts'

describe('payment cards', () => {
  it.each([
    ['Visa', '4111111111111111'],
    ['Visa in fours', '4111 1111 1111 1111'],
    ['Visa with dashes', '4111-1111-1111-1111'],
    ['Visa with non-breaking spaces', '4111\u00a01111\u00a01111\u00a01111'],
    ['Visa with en dashes', '4111\u20131111\u20131111\u20131111'],
    ['Visa with dots', '4111.1111.1111.1111'],
    ['Visa of 13 digits', '4222222222222'],
    ['Visa of 19 digits', '4000 0000 0000 0000 006'],
    ['Mastercard', '5555555555554444'],
    ['Mastercard of the second series', '2223 0031 2200 3222'],
    ['American Express', '378282246310005'],
    ['American Express in its groups', '3782 822463 10005'],
    ['Discover', '6011111111111117'],
    ['Diners Club', '3056 930902 5904'],
    ['JCB', '3530111333300000'],
    ['UnionPay', '6200000000000005'],
    ['Maestro', '6759649826438453'],
  ])('are found: %s', (_, card) => {
    expect(kindsIn(card)).toBe('[card]')
    expect(kindsIn(`Card: ${card}, exp 12/29.`)).toBe('Card: [card], exp 12/29.')
    expect(kindsIn(`{"number":"${card}"}`)).toBe('{"number":"[card]"}')
    expect(kindsIn(`PAN${card}`)).toBe('PAN[card]')
  })

  it('are found behind and before other numbers', () => {
    expect(kindsIn('17 4111 1111 1111 1111 123')).toBe('17 [card] 123')
    expect(kindsIn('2 5555555555554444 4111111111111111')).toBe('2 [card] [card]')
  })

  it.each([
    '4111111111111112',
    '1234567890123452',
    '9999999999999995',
    '1700000000000000',
    '1700000000000',
    '0.4111111111111111',
    '4111.111111111111',
    '41111111111111111111111111',
    'a4111111111111111b',
    '550e8400-e29b-41d4-a716-446655440000',
  ])('are not: %s', (text) => {
    expect(kindsIn(text)).toBe(text)
  })
})

describe('IBANs', () => {
  it.each([
    'DE89370400440532013000',
    'DE89 3704 0044 0532 0130 00',
    'GB29 NWBK 6016 1331 9268 19',
    'FR14 2004 1010 0505 0001 3M02 606',
    'NL91-ABNA-0417-1643-00',
    'ch9300762011623852957',
    'NO9386011117947',
    'MT84MALT011000012345MTLCAST001S',
  ])('are found: %s', (account) => {
    expect(kindsIn(`Pay to ${account}, soon`)).toBe('Pay to [iban], soon')
    expect(kindsIn(`${account} AND MORE`)).toBe('[iban] AND MORE')
  })

  it.each(['DE89370400440532013001', 'XX89370400440532013000', 'DE8937040044053201300', 'DE89 3704', 'GB29'])(
    'are not: %s',
    (text) => {
      expect(kindsIn(text)).toBe(text)
    },
  )
})

describe('national ids', () => {
  it.each([
    ['US', '536-90-4399'],
    ['Germany', '86 095 742 719'],
    ['France', '2 55 08 14 168 025 38'],
    ['France, in one piece', '255081416802538'],
    ['Spain', '12345678Z'],
    ['Spain, of a foreigner', 'X1234567L'],
    ['Spain, with a dash', '12.345.678-Z'],
    ['Italy', 'RSSMRA85T10A562S'],
    ['United Kingdom', 'AB 12 34 56 C'],
    ['United Kingdom, in one piece', 'AB123456C'],
    ['Brazil', '529.982.247-25'],
    ['Sweden', '811228-9874'],
    ['Sweden, with the century', '19811228-9874'],
    ['China', '11010519491231002X'],
    ['India', '2341 2341 2346'],
  ])('are found by their form: %s', (_, id) => {
    expect(kindsIn(`It is ${id}.`)).toBe('It is [national-id].')
    expect(kindsIn(`{"x":"${id}"}`)).toBe('{"x":"[national-id]"}')
  })

  it.each([
    ['SSN: ', '536904399'],
    ['Social security number ', '536 90 4399'],
    ['Steuer-ID: ', '86095742719'],
    ['taxId=', '86095742719'],
    ['BSN ', '111222333'],
    ['"burgerservicenummer": "', '1112.22.333'],
    ['PESEL: ', '44051401359'],
    ['CPF ', '52998224725'],
    ['personnummer ', '8112289874'],
    ['Aadhaar no. ', '234123412346'],
    ['NI number: ', 'ab123456c'],
  ])('are found next to a word that names them: %s%s', (word, id) => {
    expect(kindsIn(`${word}${id}`)).toBe(`${word}[national-id]`)
    expect(kindsIn(`nothing\n${id}`)).toBe(`nothing\n${id}`)
  })

  it.each([
    '000-12-3456',
    '666-12-3456',
    '900-12-3456',
    '123-00-4567',
    '123-45-0000',
    'SSN 536904399123',
    'Steuer-ID 86095742718',
    '2 55 08 14 168 025 39',
    '12345678A',
    'X1234567A',
    'RSSMRA85T10A562T',
    'GB 12 34 56 C',
    'BSN 111222334',
    'PESEL 44051401358',
    '529.982.247-24',
    '111.111.111-11',
    '811228-9873',
    '811328-9874',
    '110105194912310021',
    '2341 2341 2347',
    '44051401359',
    '111222333',
  ])('are not: %s', (text) => {
    expect(kindsIn(text)).toBe(text)
  })
})

describe('phone numbers', () => {
  it.each([
    '+14155550132',
    '+1 (415) 555-0132',
    '+49 30 1234567',
    '+49 (0)30 123 456-78',
    '+44 20 7946 0958',
    '0044 20 7946 0958',
    '+91 98765 43210',
    '(415) 555-0132',
    '415-555-0132',
    '415.555.0132',
    '1-800-555-0199',
    '(030) 1234567',
    '030 1234567',
    '0171/1234567',
    '01 23 45 67 89',
    '01.23.45.67.89',
    '020 7946 0958',
    '07700 900123',
    '090-1234-5678',
    '(11) 91234-5678',
    '138-0013-8000',
  ])('are found: %s', (number) => {
    expect(kindsIn(`Call ${number}.`)).toBe('Call [phone].')
    expect(kindsIn(`{"n":"${number}"}`)).toBe('{"n":"[phone]"}')
  })

  it('are found in one piece next to a word that names them', () => {
    expect(kindsIn('phone: 4155550132')).toBe('phone: [phone]')
    expect(kindsIn('customerPhone=4155550132')).toBe('customerPhone=[phone]')
    expect(kindsIn('Tel. 0301234567')).toBe('Tel. [phone]')
  })

  it.each([
    '2023-11-12 10:22:33',
    '2023-11-12T10:22:33.123+02:00',
    '01-02-2023 10',
    '01.02.2023 1234',
    '12/31/2023 23:59',
    '1.22.333.4444',
    '192.168.100.200',
    '10.0.0.1:8080',
    '1700000000',
    '1700000000000',
    '1234567890',
    '3.14159265358979',
    '20231112-102233',
    '100 200 300 400',
    '00000010 00000020',
    '4155550132',
    'v20.19.0-rc.1',
    'turn:t1:call:1.0',
    'pages 100-200',
    '-1234567',
    '@@ -100,7 +100,7 @@',
    '1,234,567,890',
    '127.0.0.1 - - [10/Oct/2023:13:55:36 +0000] 2326',
    'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  ])('are not: %s', (text) => {
    expect(kindsIn(text)).toBe(text)
  })
})

describe('e-mail addresses', () => {
  it.each([
    'team@example.org',
    'Team.Example+news@mail.example.co.uk',
    'grüße@bücher.example',
    'a_b-c@xn--bcher-kva.example',
    "o'brien@example.org",
  ])('are found: %s', (address) => {
    expect(kindsIn(`Write to ${address}.`)).toBe('Write to [email].')
    expect(kindsIn(`<${address}>`)).toBe('<[email]>')
    expect(kindsIn(`to='${address}'`)).toBe("to='[email]'")
    expect(kindsIn(`mailto:${address}?subject=x`)).toBe('mailto:[email]?subject=x')
  })

  it.each([
    'lodash@4.17.21',
    '@scope/name@1.2.3',
    'icon@2x.png',
    'git@github.com:a/b.git',
    'user@host',
    '@decorator',
    'a @ b.c',
  ])('are not: %s', (text) => {
    expect(kindsIn(text)).toBe(text)
  })
})
