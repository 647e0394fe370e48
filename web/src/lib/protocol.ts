// Made from the models in src/industry/server/protocol by `npm run types`; do not edit.

export const PROTOCOL = 2
export const MAX_PLAYER_NAME = 24
export const MAX_CHAT = 160

export interface Accepted {
  type: 'accepted'
  id: string
  version: number
}

export type AnyOrder =
  | BidOrder
  | SettleOrder
  | OfferOrder
  | DevelopOrder
  | SubsidyOrder
  | CashOrder
  | WakeOrder

export interface AskField {
  type: 'ask_field'
  id: string
  field: string
}

export interface AskOrders {
  type: 'ask_orders'
  id: string
  seat: number
  lines: AnyOrder[]
}

export interface AskSteps {
  type: 'ask_steps'
  id: string
  after: number
}

export interface AskWhy {
  type: 'ask_why'
  id: string
  line: string
}

export interface Auction {
  field: string
  auctioneer: number
  order: number[]
  bids: (number | null)[]
  high_bid: number
  high_bidder: number | null
}

export interface AuctioneerChanged {
  type: 'auctioneer_changed'
  seat: number
}

export interface BidMade {
  type: 'bid_made'
  seat: number
  talers: number
}

export interface BidOrder {
  era: number | null
  do: 'bid'
  what: string
  up_to: number
  at_once: boolean
}

export interface BidPassed {
  type: 'bid_passed'
  seat: number
}

export interface BoardDraft {
  edition: Edition
  status: 'reconstruction' | 'verified'
  coin_columns: string[]
  provenance: StatementDraft[]
  fields: FieldDraft[]
  links: LinkDraft[]
  sources: SourceDraft[]
}

export interface BoardInfo {
  id: string
  hash: string
  edition: string
  status: 'reconstruction' | 'verified'
  coin_columns: string[]
  resources: string[]
  networks: string[]
  fields: FieldInfo[]
  links: [string, string][]
  layout: LayoutInfo
  signs: Record<string, string>
}

export interface BoardName {
  id: string
  edition: string
  status: string
  hash: string
}

export interface Boards {
  boards: BoardName[]
}

export interface BonusInfo {
  network: string
  points: number
}

export interface BotInfo {
  name: string
  level: number
  description: string
  rating: number | null
  measured: Measured | null
}

export interface BotLoss {
  bot: string
  mean: number
  error: number
}

export interface Bots {
  bots: BotInfo[]
}

export interface BranchOutlook {
  original: Outlook
  branch: Outlook
  version: number
}

export interface BranchView {
  moves: number
  line: string
  players: string[]
  origin: string | null
}

export interface BranchWish {
  id: string
  review?: string | null
  table?: string | null
  record?: string | null
  move: number
  seat: number
  name: string
  bot?: string
  language?: Language
}

export interface CashOrder {
  era: number | null
  do: 'cash'
  fields: string[]
  below: number
}

export interface Ceremony {
  ceremony: string
  options: Record<string, unknown>
}

export interface Channel {
  id: string
  kind: 'push' | 'mail' | 'webhook' | 'discord' | 'slack'
  label: string
  digest: string
  spare: boolean
  confirmed: boolean
  created: number
}

export interface ChannelAdded {
  channel: Channel
  secret: string | null
}

export interface Check {
  name: string
  draft: BoardDraft
}

export interface Checked {
  problems: Finding[]
  remarks: Finding[]
  printed: number
  total: number
  by_field: Record<string, [number, number]>
  board: BoardInfo
}

export interface Choice {
  line: string
  talers: number[]
  points: number
  events: GameEvent[]
  sold: number[] | null
  claimed: number[] | null
}

export type ClientMessage =
  | Hello
  | PlayMove
  | Undo
  | Leave
  | Resign
  | Return
  | StandIn
  | AskWhy
  | AskField
  | AskSteps
  | SetOrders
  | AskOrders
  | Say
  | Hurry
  | Ping

export interface ClockView {
  remaining: number[]
  deadline: number | null
  stand_in_at: number | null
  stand_in_asked: number[]
}

export interface ClubState {
  persons: 'off' | 'open' | 'invitation'
  cups: boolean
  passkeys: boolean
  me: Me | null
}

export interface Clubhouse {
  here: Here[]
  open: LobbyTable[]
  records: HouseRecord[]
  week: WeekGame[]
  best: WeekGame | null
}

export interface CoachQuestion {
  id: string
  line: string
}

export interface CoachSays {
  warns: boolean
  loss: number
  better: string | null
}

export interface ConfirmMail {
  code: string
}

export interface CupEntrant {
  number: number
  name: string
  person: string | null
  bot: string | null
  withdrawn: boolean
  addition: string
}

export interface CupGame {
  table: string
  group: number
  seats: number[]
  over: boolean
  points: number[]
  scores: number[]
  winners: number[]
  forfeits: number[]
}

export interface CupList {
  cups: CupRow[]
  may_create: boolean
}

export interface CupRound {
  number: number
  begun: number
  due: number | null
  games: CupGame[]
  commitment: string
}

export interface CupRow {
  id: string
  name: string
  status: 'open' | 'running' | 'over' | 'cancelled'
  format: 'cup' | 'swiss' | 'league' | 'evening'
  edition: Edition
  size: number
  duplicate: boolean
  clock: Pace
  created: number
  starts: number | null
  joined: number
  places: number
  round: number
  rounds: number | null
  hours: number
  due: number | null
  taking_part: boolean
}

export interface CupStanding {
  place: number
  entrant: number
  group: number
  games: number
  score: number
  victories: number
  opponents: number
  share: number
}

export interface CupView {
  id: string
  name: string
  status: 'open' | 'running' | 'over' | 'cancelled'
  format: 'cup' | 'swiss' | 'league' | 'evening'
  edition: Edition
  size: number
  round_count: number | null
  places: number
  duplicate: boolean
  clock: Pace
  hours: number
  created: number
  starts: number | null
  after: string | null
  house: string
  entrants: CupEntrant[]
  rounds: CupRound[]
  standings: CupStanding[]
  commitment: string
  secret: string | null
  me: number | null
  may_manage: boolean
}

export interface Curve {
  kind: RatedKind
  now: Rating
  games: number
  points: CurvePoint[]
}

export interface CurvePoint {
  table: string
  at: number
  rating: Rating
  change: number
  rank: number
  left: boolean
}

export interface Daily {
  date: string
  edition: Edition
  bots: string[]
  ends: number
}

export interface DailyWish {
  id: string
  date: string
  name: string
}

export interface Demand {
  resource: string
  fields: number
  to_come: number
  seats: number[]
}

export interface DevelopOrder {
  era: number | null
  do: 'develop'
  fields: string[]
  keep: number
  jokers: boolean
}

export type Edition =
  | 'industry'
  | 'industria'

export type Emote =
  | 'hello'
  | 'thinking'
  | 'well_played'
  | 'ouch'
  | 'thanks'
  | 'good_game'

export interface Entry {
  version: number
  at: number
  kind: EntryKind
  seat: number | null
  how: How | null
  stand_in: string | null
  line: string | null
  moves: number | null
  step: number | null
  reason: 'left' | 'clock' | 'resigned' | 'voted' | 'never_started' | 'abandoned' | null
  target: number | null
  name: string | null
  events: GameEvent[]
}

export type EntryKind =
  | 'created'
  | 'seat_taken'
  | 'seat_left'
  | 'seat_freed'
  | 'seat_reserved'
  | 'link_renewed'
  | 'seat_to_bot'
  | 'started'
  | 'move'
  | 'undone'
  | 'absent'
  | 'returned'
  | 'stand_in_asked'
  | 'era_revealed'
  | 'bag_revealed'
  | 'rematch'
  | 'hint_used'
  | 'branched'
  | 'unknown'
  | 'closed'

export interface EraChanged {
  type: 'era_changed'
  era: number
}

export type ErrorCode =
  | 'bad_message'
  | 'too_large'
  | 'too_many_messages'
  | 'too_fast'
  | 'busy'
  | 'too_many_sockets'
  | 'too_many_watchers'
  | 'too_slow'
  | 'protocol_version'
  | 'hello_first'
  | 'hello_once'
  | 'no_table'
  | 'bad_token'
  | 'not_your_seat'
  | 'stale'
  | 'illegal_move'
  | 'bad_line'
  | 'not_started'
  | 'game_over'
  | 'undo_off'
  | 'nothing_to_undo'
  | 'not_absent'
  | 'too_early'
  | 'chat_off'
  | 'no_coach'
  | 'hints_off'
  | 'not_your_turn'
  | 'seat_taken'
  | 'table_full'
  | 'already_started'
  | 'not_host'
  | 'bad_options'
  | 'unknown_bot'
  | 'unknown_board'
  | 'bad_name'
  | 'bad_record'
  | 'not_over'
  | 'too_many_tables'
  | 'too_many_undos'
  | 'table_closed'
  | 'name_taken'
  | 'wrong_host'
  | 'no_network'
  | 'persons_off'
  | 'not_signed_in'
  | 'not_invited'
  | 'banned'
  | 'bad_passkey'
  | 'last_key'
  | 'not_operator'
  | 'cups_off'
  | 'no_cup'
  | 'cup_full'
  | 'cup_started'
  | 'cup_over'
  | 'cup_too_small'
  | 'in_cup'
  | 'not_in_cup'
  | 'not_cup_owner'
  | 'too_many_cups'
  | 'sealed'
  | 'store_unavailable'
  | 'stopping'
  | 'newer_version'
  | 'not_found'
  | 'internal'

export interface ErrorMessage {
  type: 'error'
  id: string | null
  code: ErrorCode
  refusal: Refusal | null
  version: number | null
  retry_after: number | null
}

export interface FieldClaimed {
  type: 'field_claimed'
  seat: number
  field: string
  price: number
}

export interface FieldDeveloped {
  type: 'field_developed'
  seat: number
  field: string
  points: number
}

export interface FieldDraft {
  id: string
  kind: 'joker' | 'bonus' | 'factory' | 'technology'
  name: Record<string, string>
  cost: number
  needs: string[]
  makes: string | null
  points: number
  discount: number
  networks: string[]
  joker: string | null
  bonus: BonusInfo | null
  provenance: StatementDraft[]
}

export interface FieldInfo {
  id: string
  kind: 'joker' | 'bonus' | 'factory' | 'technology'
  name: Record<string, string>
  cost: number
  needs: string[]
  makes: string | null
  points: number
  discount: number
  networks: string[]
  joker: string | null
  bonus: BonusInfo | null
  attested: string[]
  source: string
  picture: string
}

export interface FieldOffered {
  type: 'field_offered'
  seat: number
  field: string
}

export interface FieldSold {
  type: 'field_sold'
  seat: number
  buyer: number
  field: string
  price: number
}

export type FieldStatus =
  | 'undeveloped'
  | 'developed'
  | 'lapsed'
  | 'held'
  | 'spent'
  | 'hidden'

export interface FieldTaken {
  type: 'field_taken'
  seat: number
  field: string
}

export interface FieldWorth {
  type: 'field'
  id: string
  version: number
  field: string
  worth: Worth[]
  prospects: Prospects
  claim_limit: number | null
}

export interface Finding {
  place: string
  field: string | null
  era: number | null
  value: string | null
  code: string
  values: Record<string, string | number | string[]>
}

export interface ForecastBin {
  seats: number
  expected: number
  won: number
}

export interface Forecasts {
  games: number
  bins: ForecastBin[]
  error: number | null
  log_loss: number | null
  even_log_loss: number | null
}

export interface FreeSeat {
  id: string
  seat: number
}

export interface GameEnded {
  type: 'game_ended'
}

export type GameEvent =
  | TalersMoved
  | RoundStarted
  | TokensDrawn
  | FieldOffered
  | BidMade
  | BidPassed
  | FieldSold
  | FieldClaimed
  | FieldTaken
  | AuctioneerChanged
  | ResourceProvided
  | FieldDeveloped
  | TurnEnded
  | SubsidyTaken
  | TileCashed
  | StartingPlayerChanged
  | EraChanged
  | TechnologyLapsed
  | PointsScored
  | GameEnded

export interface GameView {
  moves: number
  round: number
  era: number
  phase: PhaseName
  actor: number | null
  starting_player: number
  auctioneer: number | null
  auction: Auction | null
  available: string[]
  tokens: Record<string, TokenPlace>
  talers: number[]
  points: number[]
  subsidies: number[]
  hands: number[]
  fields: Record<string, OwnedField>
  market: Record<string, Market>
  score: Parts[]
  winners: number[]
}

export interface HeldSeat {
  seat: number
  token: string
  commitment: string
}

export interface Hello {
  type: 'hello'
  protocol: number
  tokens?: string[]
  version?: number | null
  language?: Language
  choices?: boolean
}

export interface Here {
  id: string
  name: string
}

export interface Hint {
  step: number
  version: number
  worth: HintWorth[]
  candidates: TryMove[]
  move: TryMove | null
  win: number | null
  win_se: number | null
  told: string[]
}

export interface HintWish {
  id: string
  seat: number
  version: number
  step: 1 | 2 | 3
  language?: Language
}

export interface HintWorth {
  field: string
  talers: number[]
}

export interface HouseRecord {
  edition: Edition
  players: number
  points: number
  name: string
  person: string | null
  table: string
  at: number
}

export type How =
  | 'player'
  | 'order'
  | 'bot'
  | 'automatic'
  | 'zombie'
  | 'chance'
  | 'given'

export interface Hurry {
  type: 'hurry'
  on: boolean
}

export interface JoinCup {
  randomness: string | null
}

export interface Ladder {
  kinds: LadderOfKind[]
}

export interface LadderBot {
  name: string
  rating: Rating
}

export interface LadderOfKind {
  kind: RatedKind
  rows: LadderRow[]
  bots: LadderBot[]
}

export interface LadderRow {
  id: string
  name: string
  rating: Rating
  games: number
}

export type Language =
  | 'en'
  | 'de'
  | 'fr'

export interface LayoutInfo {
  width: number
  height: number
  card_width: number
  card_height: number
  card_x: number[]
  card_y: number[]
  ways: WayInfo[]
}

export interface Leave {
  id: string
  seat: number
  version: number
  type: 'leave'
}

export interface LessonAnswer {
  right: boolean
  says: string | null
  refusal: Refusal | null
  steps: Step[]
}

export interface LessonField {
  worth: Worth[]
  prospects: Prospects
  claim_limit: number | null
}

export interface LessonInfo {
  edition: Edition
  name: string
}

export interface LessonTry {
  line: string
  language?: Language
}

export interface LessonView {
  edition: Edition
  name: string
  board_hash: string
  seat: number
  game: GameView
  log: Entry[]
  legal: string[]
  choices: Choice[]
  points_at: string[]
  names: Record<string, string>
  numbers: Record<string, number>
  rule: string
}

export interface Lessons {
  lessons: LessonInfo[]
}

export interface Level {
  games: number
  decisions: number
  mean: number
  half: number | null
  bots: BotLoss[]
  better: string | null
  worse: string | null
}

export interface LevelFound {
  whole: number
  level: Level | null
  told: Record<string, string>
}

export interface LevelWish {
  games: SeatReview[]
}

export interface LinkAnswer {
  secret: string
}

export interface LinkDraft {
  ends: [string, string]
  note: string
  provenance: StatementDraft[]
}

export interface LobbyTable {
  table: string
  status: 'open' | 'running' | 'over' | 'closed'
  options: TableOptions
  created: number
  changed: number
  seats: SeatView[]
  actor: number | null
  round: number | null
  era: number | null
  points: number[]
  winners: number[]
}

export interface LogLine {
  entry: string
  hash: string
}

export interface Market {
  makers: number[]
  bank: boolean
  bank_era: number
}

export interface Me {
  id: string
  name: string
  created: number
  operator: boolean
  has_link: boolean
  passkeys: Passkey[]
}

export interface Measured {
  other: string
  wins: boolean
  low: number
  high: number
}

export interface Mine {
  tokens: string[]
}

export interface MomentWish {
  record: string
  at: number
  language?: Language
}

export interface MomentWorth {
  worth: Record<string, Worth[]>
  prospects: Record<string, Prospects>
}

export interface MyTable {
  token: number
  seat: number | null
  your_turn: boolean
  table: LobbyTable
}

export interface MyTables {
  tables: MyTable[]
}

export interface Neighbour {
  field: string
  owner: number | null
  to_come: boolean
}

export interface NetworkProspects {
  network: string
  factories: number[]
  factories_to_come: number
  bonuses: number[]
  bonuses_to_come: number
}

export interface NetworkState {
  available: boolean
  address: string
  found: string[]
}

export interface NetworkWish {
  open: boolean
}

export interface NewCall {
  kind: 'webhook' | 'discord' | 'slack'
  url: string
  language?: Language
  spare?: boolean
}

export type NewChannel =
  | NewDevice
  | NewMail
  | NewCall

export interface NewCup {
  id: string
  name: string
  format?: 'cup' | 'swiss' | 'league' | 'evening'
  edition?: Edition
  size?: 3 | 4
  rounds?: number
  places?: number
  duplicate?: boolean
  clock?: Pace
  hours?: number
  starts?: number | null
  bots?: string[]
  house?: string
  take_part?: boolean
  randomness?: string | null
  after?: string | null
}

export interface NewDevice {
  kind: 'push'
  endpoint: string
  p256dh: string
  auth: string
  label?: string
  language?: Language
  spare?: boolean
}

export interface NewLink {
  id: string
  seat: number
}

export interface NewMail {
  kind: 'mail'
  address: string
  language?: Language
  spare?: boolean
}

export interface NewPerson {
  name: string
  invitation?: string | null
}

export interface NewTable {
  id: string
  options?: Partial<TableOptions>
  seats: SeatWish[]
}

export interface NightHours {
  begin: number
  end: number
  zone: string
}

export interface NoticeWays {
  key: string
  mail: boolean
}

export interface OfferOrder {
  era: number | null
  do: 'offer'
  fields: string[]
}

export interface Opened {
  sheet: Sheet | null
  problems: Finding[]
}

export interface OperatorAnswer {
  link: string | null
  invitation: string | null
}

export interface OperatorWish {
  what: 'rename' | 'merge' | 'ban' | 'unban' | 'link' | 'invite' | 'delete'
  person?: string
  name?: string
  into?: string
}

export interface Opponent {
  id: string
  name: string
  games: number
}

export interface OrdersDone {
  moves: number
  round: number
  era: number
  phase: 'offer' | 'bid' | 'settle' | 'develop'
  field: string | null
  price: number
  made: string | null
  order: number | null
  line: string | null
}

export interface OrdersPreview {
  type: 'orders'
  id: string
  version: number
  now: OrdersDone | null
  before: OrdersDone[]
}

export interface Outlook {
  over: boolean
  seats: SeatOutlook[]
}

export interface OwnNotices {
  channels: Channel[]
  night: NightHours | null
}

export interface OwnTable {
  seat: number | null
  token: string
  your_turn: boolean
  table: LobbyTable
}

export interface OwnTables {
  tables: OwnTable[]
}

export interface OwnedField {
  owner: number | null
  status: FieldStatus
}

export type Pace =
  | 'live'
  | 'days'

export interface Parts {
  development: number
  money: number
  links: number
  bonuses: number
  jokers: number
  subsidy: number
  points: number
}

export interface Passkey {
  id: string
  label: string
  created: number
}

export interface PasskeyAnswer {
  ceremony: string
  credential: Record<string, unknown>
  label?: string
}

export interface PastGame {
  table: string
  ended: number
  edition: string
  players: number
  rated: boolean
  rank: number
  points: number
}

export interface PersonLevel {
  games: number
  least: number
  level: Level | null
  told: Record<string, string>
}

export interface PersonRatings {
  curves: Curve[]
}

export interface PersonRow {
  id: string
  name: string
  created: number
  seen: number
  banned: boolean
  operator: boolean
  passkeys: number
  has_link: boolean
  tables: number
}

export interface PersonRows {
  persons: PersonRow[]
}

export type PhaseName =
  | 'draw'
  | 'offer'
  | 'bid'
  | 'settle'
  | 'develop'
  | 'over'

export interface Ping {
  type: 'ping'
  id: string
}

export interface PlayMove {
  id: string
  seat: number
  version: number
  type: 'move'
  line: string
}

export interface PointsScored {
  type: 'points_scored'
  seat: number
  part: string
  points: number
}

export interface Pong {
  type: 'pong'
  id: string
  now: number
}

export interface Presence {
  type: 'presence'
  connected: boolean[]
  watching: number
  warming: Warming | null
}

export interface Problem {
  code: ErrorCode
  detail: string
  retry_after: number | null
}

export interface Profile {
  id: string
  name: string
  created: number
  games: number
  won: number
  opponents: Opponent[]
  past: PastGame[]
}

export interface Proof {
  scheme: 1 | 2
  rules_version: number
  commitment: string
  places: number[]
  shuffled: boolean
  contributions: string[]
  era_keys: string[]
  secret: string | null
  daily: string
}

export interface Prospects {
  demand: Demand | null
  networks: NetworkProspects[]
  neighbours: Neighbour[]
}

export interface RatedKind {
  edition: Edition
  players: number
  pace: Pace
}

export interface RatedSeat {
  seat: number
  rating: Rating | null
  chance: number | null
  change: number | null
  left: boolean
}

export interface Rating {
  rating: number
  doubt: number
  known: boolean
}

export interface Refusal {
  code: string
  rule: string
  section: string
  rulings: string[]
  numbers: Record<string, number | number[]>
  remedies: string[]
  wrong: string
  helps: string
  citation: string
}

export interface Rematch {
  id: string
}

export interface Rename {
  name: string
}

export interface ReplayFault {
  move: number
  line: string
  sentence: string
}

export interface ReplayWish {
  record: string
  language?: Language
}

export interface Replayed {
  board: BoardInfo
  options: TableOptions
  players: string[]
  first: GameView
  steps: Step[]
  fault: ReplayFault | null
  result_differs: boolean
}

export interface Reserved {
  seat: number
  token: number
}

export interface Resign {
  id: string
  seat: number
  version: number
  type: 'resign'
}

export interface ResourceProvided {
  type: 'resource_provided'
  seat: number
  resource: string
  source: string
}

export interface Return {
  id: string
  seat: number
  version: number
  type: 'return'
}

export interface ReviewBegun {
  id: string
}

export interface ReviewChances {
  move: number
  win: number[]
}

export interface ReviewFound {
  review: Record<string, unknown>
  told: Record<string, Record<string, string[]>>
}

export interface ReviewSketch {
  lines: number
  chances: ReviewChances[]
}

export interface ReviewState {
  id: string
  status: 'waiting' | 'running' | 'done' | 'failed'
  done: number
  total: number
  sketch: ReviewSketch | null
  found: ReviewFound | null
}

export interface ReviewWish {
  table?: string | null
  record?: string | null
  language?: Language
}

export interface RoundStarted {
  type: 'round_started'
  number: number
  era: number
  starting_player: number
}

export interface Said {
  type: 'said'
  number: number
  at: number
  seat: number
  text: string
  emote: Emote | null
}

export interface Save {
  name: string
  stamp: string
  draft: BoardDraft
}

export interface Saved {
  trouble: Trouble | null
  detail: string
  stamp: string
}

export interface Say {
  type: 'say'
  id: string
  seat: number
  text?: string
  emote?: Emote | null
}

export interface SeatOrders {
  revision: number
  lines: AnyOrder[]
  woken: number | null
}

export interface SeatOutlook {
  win: number
  win_se: number
  points: number
  points_se: number
  low: number
  high: number
}

export interface SeatReview {
  review: string
  seat: number
}

export interface SeatStandIn {
  id: string
  seat: number
}

export interface SeatToBot {
  id: string
  seat: number
  bot: string
}

export interface SeatView {
  seat: number
  kind: 'open' | 'reserved' | 'human' | 'bot'
  name: string
  person: string | null
  bot: string | null
  bot_number: number | null
  absent: boolean
  claimed: boolean
  taken_back: number
  hints: number
}

export interface SeatWish {
  kind?: 'open' | 'reserved' | 'human' | 'bot'
  name?: string | null
  as_person?: boolean
  bot?: string | null
  randomness?: string | null
}

export type ServerMessage =
  | Welcome
  | Snapshot
  | Update
  | Presence
  | Accepted
  | ErrorMessage
  | Why
  | FieldWorth
  | StepsPart
  | OrdersPreview
  | Said
  | Pong

export interface SetOrders {
  type: 'set_orders'
  id: string
  seat: number
  revision: number
  lines: AnyOrder[]
}

export interface SettleOrder {
  era: number | null
  do: 'settle'
  what: string
  sell_from: number
}

export interface Sheet {
  name: string
  file: string
  stamp: string
  origin: string
  draft: BoardDraft
  values: Record<string, string[]>
}

export interface SignedIn {
  me: Me
  link: string | null
}

export interface Snapshot {
  type: 'snapshot'
  view: TableView
  yours: Yours[]
  log: Entry[]
}

export interface SourceDraft {
  id: string
  kind: 'print' | 'report'
  title: string
  address: string
}

export interface StandIn {
  id: string
  seat: number
  version: number
  type: 'stand_in'
  target: number
}

export interface StartingPlayerChanged {
  type: 'starting_player_changed'
  seat: number
}

export interface StatementDraft {
  source: string
  values: string[]
  confidence: 'high' | 'medium' | 'low'
  note: string
}

export interface Step {
  entry: Entry
  changed: Record<string, unknown>
}

export interface StepsPart {
  type: 'steps'
  id: string
  version: number
  steps: Step[]
}

export interface SubsidyOrder {
  era: number | null
  do: 'subsidy'
  below: number
}

export interface SubsidyTaken {
  type: 'subsidy_taken'
  seat: number
}

export interface TableLog {
  entries: LogLine[]
}

export interface TableMade {
  table: string
  host: string
  seats: HeldSeat[]
  reserved: HeldSeat[]
}

export interface TableOptions {
  edition: Edition
  players: 3 | 4
  board: string
  rules: Record<string, string>
  seating: 'random' | 'as_joined'
  undo: 'own_last' | 'off'
  auto_forced: boolean
  clock: 'none' | Pace
  zombie: 'passive' | 'bot'
  patience: '2m' | '10m' | '1h' | '1d' | 'never'
  chat: boolean
  listed: boolean
  daily: string
  rated: boolean
  hints: 'auto' | 'on' | 'off'
  what_if: boolean
  cup: string
  duplicate: boolean
}

export interface TableRating {
  status: 'unrated' | 'expected' | 'waiting' | 'counted'
  kind: RatedKind
  seats: RatedSeat[]
}

export interface TableView {
  table: string
  version: number
  status: 'open' | 'running' | 'over' | 'closed'
  options: TableOptions
  board_hash: string
  created: number
  seats: SeatView[]
  clock: ClockView
  proof: Proof
  next_table: string | null
  branch: BranchView | null
  hints: boolean
  game: GameView | null
}

export interface Tables {
  tables: LobbyTable[]
}

export interface TakeSeat {
  id: string
  name: string
  as_person?: boolean
  seat?: number | null
  randomness?: string | null
}

export interface TalersMoved {
  type: 'talers_moved'
  source: number | null
  target: number | null
  amount: number
  reason: string
}

export interface TechnologyLapsed {
  type: 'technology_lapsed'
  seat: number
  field: string
}

export interface TestSent {
  outcome: 'told' | 'gone' | 'failed'
}

export interface TileCashed {
  type: 'tile_cashed'
  seat: number
  field: string
}

export type TokenPlace =
  | 'bag'
  | 'up'
  | 'down'

export interface TokensDrawn {
  type: 'tokens_drawn'
  fields: string[]
}

export type Trouble =
  | 'taken'
  | 'shipped'
  | 'no_folder'
  | 'unwritable'
  | 'disk_full'
  | 'failed'

export interface TryAnswer {
  line: string
  loss: number
  loss_se: number
  good: boolean
}

export interface TryMove {
  line: string
  text: string
}

export interface TryMoves {
  moves: TryMove[]
}

export interface TryWish {
  move: number
  line: string
}

export interface TurnEnded {
  type: 'turn_ended'
  seat: number
}

export interface Undo {
  id: string
  seat: number
  version: number
  type: 'undo'
}

export interface Update {
  type: 'update'
  version: number
  steps: Step[]
  yours: Yours[]
}

export interface WakeOrder {
  era: number | null
  do: 'wake'
  what: string | null
  price_above: number | null
  auctioneer: number | null
  bidder: number | null
  talers_below: number | null
  after_round: number | null
}

export interface Warming {
  ready: number
  total: number
  bots: string[]
  stand_in: string
  failed: boolean
}

export interface WayInfo {
  name: string
  ends: string[]
  lines: [number, number][][]
  badges: [number, number][]
}

export interface Webhook {
  id: string
  url: string
}

export interface WebhookSet {
  secret: string | null
}

export interface WeekGame {
  table: string
  at: number
  edition: Edition
  players: number
  rated: boolean
  names: string[]
  points: number[]
  winners: number[]
}

export interface Welcome {
  type: 'welcome'
  protocol: number
  seats: number[]
  reserved: Reserved[]
  host: boolean
  now: number
}

export interface Why {
  type: 'why'
  id: string
  version: number
  refusal: Refusal | null
}

export interface Worth {
  seat: number
  points: number
  links: number
  bonuses: number
  price: number | null
  jokers: number
  sells_to: number
}

export interface Yours {
  seat: number
  legal: string[]
  can_undo: boolean
  hand: string[]
  choices: Choice[]
  orders: SeatOrders | null
}
