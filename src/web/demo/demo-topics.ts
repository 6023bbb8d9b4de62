/** A traveller's request, and the agent's lookups for it. */
export interface Topic {
  readonly asks: string
  readonly tools: readonly { readonly name: string; readonly inputs: object; readonly output: unknown }[]
  readonly answers: string
  readonly thanks: string
  readonly closes: string
}

/** The errands of the demo. */
export const topics: readonly Topic[] = [
  {
    asks: 'Hi, I need to cancel my flight to Seattle. My reservation is M20IZO.',
    tools: [
      {
        name: 'get_reservation',
        inputs: { reservation_id: 'M20IZO' },
        output: { cabin: 'economy', price: 412.5, insured: true },
      },
      {
        name: 'cancel_reservation',
        inputs: { reservation_id: 'M20IZO' },
        output: { status: 'cancelled', refund: 412.5 },
      },
    ],
    answers: 'Reservation **M20IZO** is cancelled. The refund of $412.50 reaches your card in 5 to 7 days.',
    thanks: 'Great, thank you. Will I get a confirmation by mail?',
    closes: 'Yes, it was sent a moment ago to the address in your profile.',
  },
  {
    asks: 'Can I upgrade NQNU5R to business class, and what does it cost?',
    tools: [
      {
        name: 'get_reservation',
        inputs: { reservation_id: 'NQNU5R' },
        output: { cabin: 'economy', flights: ['HAT268', 'HAT010'] },
      },
      {
        name: 'search_fares',
        inputs: { flights: ['HAT268', 'HAT010'], cabin: 'business' },
        output: { total: 1194, currency: 'USD' },
      },
    ],
    answers: 'The upgrade costs **$597** more:\n\n1. HAT268, JFK to ORD\n2. HAT010, ORD to SEA\n\nShall I go ahead?',
    thanks: 'Yes, please charge the card ending in 7334.',
    closes: 'Done: both flights are in business class now.',
  },
  {
    asks: 'How many bags may I take on a basic economy ticket as a silver member?',
    tools: [
      {
        name: 'search_policy',
        inputs: { query: 'baggage basic economy silver' },
        output: [{ title: 'Baggage', text: 'Silver: 1 free bag in basic economy.' }],
      },
    ],
    answers: 'As a silver member you may check **one bag** free of charge. Each further bag is $50.',
    thanks: 'And on the way back?',
    closes: 'The same holds for the way back, as it is on the same ticket.',
  },
  {
    asks: 'My flight HAT170 was four hours late. Do I get a compensation?',
    tools: [
      {
        name: 'get_flight_status',
        inputs: { flight: 'HAT170', date: '2024-05-14' },
        output: { status: 'landed', delay_minutes: 247 },
      },
      {
        name: 'search_policy',
        inputs: { query: 'compensation delay' },
        output: [{ title: 'Delays', text: '$50 for each passenger.' }],
      },
    ],
    answers: 'I am sorry about the delay of 4 h 07 min. You get a certificate of **$50** for each passenger.',
    thanks: 'We are three. Please send them.',
    closes: 'Three certificates of $50 are in your profile now.',
  },
]
