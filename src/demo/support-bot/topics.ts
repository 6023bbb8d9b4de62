/**
 * Topics of customers: questions in the order of a conversation, the tool that helps, the article
 * that explains.
 */
export interface Topic {
  readonly name: string
  readonly questions: readonly string[]
  readonly tool: { readonly name: string; readonly path: string; readonly result: Record<string, unknown> }
  readonly article: { readonly title: string; readonly text: string }
  readonly answer: string
}

export const topics: readonly Topic[] = [
  {
    name: 'late delivery',
    questions: [
      'My parcel was due on Monday and has not arrived. Where is it?',
      'The tracking page has shown the same place for three days. Is it lost?',
      'Can you send it again, to my office this time?',
      'Will I be charged for the second parcel?',
      'When will it be there?',
    ],
    tool: {
      name: 'lookup_order',
      path: '/orders/48120',
      result: { order: '48120', status: 'in transit', carrier: 'NordPost', last_seen: 'Leipzig' },
    },
    article: {
      title: 'Parcels that are late',
      text:
        'A parcel counts as lost ten working days after it was handed to the carrier. Before that we ask ' +
        'the carrier to search.',
    },
    answer: 'Your parcel is in transit and was last seen in Leipzig. I have asked the carrier to search for it.',
  },
  {
    name: 'refund',
    questions: [
      'I sent the lamp back two weeks ago. When do I get my money?',
      'It was paid with a gift card. Does that make a difference?',
      'Could you refund it to my bank account instead?',
      'Do I get the postage back as well?',
      'Please confirm the amount in writing.',
    ],
    tool: {
      name: 'refund_status',
      path: '/refunds/7731',
      result: { refund: '7731', amount: 64.9, currency: 'EUR', status: 'approved', paid_at: null },
    },
    article: {
      title: 'Refunds',
      text:
        'We refund within five working days after a return was checked, by the way of payment that was ' +
        'used for the order.',
    },
    answer:
      'Your return was checked and 64.90 EUR are approved. The money is on its way back by the same means of payment.',
  },
  {
    name: 'account',
    questions: [
      'I cannot sign in: the code never arrives.',
      'My phone number changed last month. How do I update it?',
      'Can I use an authenticator app instead?',
      'Where do I find the recovery codes?',
      'Thank you. Is there anything else that I should change?',
    ],
    tool: {
      name: 'lookup_account',
      path: '/accounts/by-email',
      result: { verified: true, second_factor: 'sms', phone_ends_with: '17', locked: false },
    },
    article: {
      title: 'Signing in with a second factor',
      text:
        'Codes go to the number in the profile. An authenticator app can be added under Security; it then ' +
        'replaces the codes by text message.',
    },
    answer: 'Codes are sent to the number that ends with 17. You can add an authenticator app under Security.',
  },
  {
    name: 'warranty',
    questions: [
      'The kettle stopped working after four months. Is that covered?',
      'I have lost the invoice. Do you still have it?',
      'Do I have to pay for sending it in?',
      'How long does the repair take?',
      'Could I have a new one instead?',
    ],
    tool: {
      name: 'find_invoice',
      path: '/invoices?product=kettle',
      result: { invoice: 'R-2093', bought_at: '2024-01-18', warranty_until: '2026-01-18' },
    },
    article: {
      title: 'Warranty',
      text:
        'All appliances carry a warranty of two years. We need the invoice number; the label for sending ' +
        'the appliance in is free.',
    },
    answer:
      'Your kettle is under warranty until 18 January 2026. I have found the invoice, R-2093, and can ' +
      'send you a free label.',
  },
]
