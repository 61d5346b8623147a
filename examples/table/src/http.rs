//! The pages and calls of the game server. `protocol.md` lists them.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream::{self, Stream};
use paigow_client::{Engine, Place, Root, Table};
use paigow_proto::v1::{self as pb, set_house_way_request};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot, watch};

use crate::dealer::{BetMove, DecideMove, Move, MoveRefused, PlayerMove};
use crate::public_log::PublicLog;
use crate::rules::{CURRENCY, EXPONENT};
use crate::state::{RoundName, SharedTable};
use crate::wallet::{Player, Wallets};

/// The files of the page, compiled in.
const PAGE: &[(&str, &str, &str)] = &include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The browser may load and call this server alone. The verifier page has the same policy.
const HEADERS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
];

/// A table that is open, with the way to its dealer.
#[derive(Debug)]
pub(crate) struct OpenTable {
    pub(crate) shared: Arc<SharedTable>,
    pub(crate) table: Table,
    pub(crate) moves: mpsc::Sender<PlayerMove>,
}

/// All that a call may need.
#[derive(Debug)]
pub(crate) struct CasinoFloor {
    pub(crate) engine: Engine,
    pub(crate) root: Root,
    pub(crate) log: Arc<PublicLog>,
    /// The hash of the chain of the beacon, if there is one.
    pub(crate) chain: Option<String>,
    pub(crate) wallets: Wallets,
    /// By the id of the table, in the order of the lobby.
    pub(crate) tables: Vec<OpenTable>,
}

impl CasinoFloor {
    fn table(&self, id: &str) -> Result<&OpenTable, MoveRefused> {
        let found = self.tables.iter().find(|table| table.shared.rules.id == id);
        found.ok_or_else(|| MoveRefused {
            status: StatusCode::NOT_FOUND,
            sentence: "There is no such table.".to_owned(),
        })
    }
}

type Floor = State<Arc<CasinoFloor>>;
type Answer = Result<Json<Value>, MoveRefused>;

impl IntoResponse for MoveRefused {
    fn into_response(self) -> Response {
        (self.status, Json(json!({"error": self.sentence}))).into_response()
    }
}

/// The player whose token a request has.
struct Caller(Player);

impl FromRequestParts<Arc<CasinoFloor>> for Caller {
    type Rejection = MoveRefused;

    async fn from_request_parts(
        parts: &mut Parts,
        floor: &Arc<CasinoFloor>,
    ) -> Result<Self, MoveRefused> {
        let header = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let token = header.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
        player(floor, token).await.map(Self)
    }
}

async fn player(floor: &CasinoFloor, token: &str) -> Result<Player, MoveRefused> {
    floor.wallets.player(token).await?.ok_or_else(|| MoveRefused {
        status: StatusCode::UNAUTHORIZED,
        sentence: "Choose a name first.".to_owned(),
    })
}

/// Returns all pages and calls.
pub(crate) fn routes(floor: Arc<CasinoFloor>) -> Router {
    Router::new()
        .route("/", get(|| page("index.html".to_owned())))
        .route("/{file}", get(|Path(file): Path<String>| page(file)))
        .route("/verify/", get(|| verifier("index.html".to_owned())))
        .route("/verify/rounds/{file}", get(transcript))
        .route("/verify/{*file}", get(|Path(file): Path<String>| verifier(file)))
        .route("/api/players", post(enroll))
        .route("/api/tables", get(tables))
        .route("/api/tables/{id}", get(rules))
        .route("/api/tables/{id}/events", get(events))
        .route("/api/tables/{id}/sit", post(sit))
        .route("/api/tables/{id}/stand", post(stand))
        .route("/api/tables/{id}/bet", post(bet))
        .route("/api/tables/{id}/take-back", post(take_back))
        .route("/api/tables/{id}/seed", post(seed))
        .route("/api/tables/{id}/house-way", post(house_way))
        .route("/api/tables/{id}/decide", post(decide))
        .route("/api/tables/{id}/sign", post(sign))
        .layer(axum::extract::DefaultBodyLimit::max(64 << 10))
        .layer(axum::middleware::map_response(with_headers))
        .with_state(floor)
}

async fn with_headers(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn page(file: String) -> Response {
    match PAGE.iter().find(|(name, _, _)| *name == file) {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn verifier(file: String) -> Response {
    let Some((path, bytes)) = paigow_verifier_page::served().find(|(path, _)| *path == file) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    ([(header::CONTENT_TYPE, kind_of(path))], bytes).into_response()
}

fn kind_of(path: &str) -> &'static str {
    match path.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some(_) | None => "application/octet-stream",
    }
}

/// The transcript of a closed round with its proofs from the public log. It is beside the verifier page: that page reads
/// files below its own folder alone.
async fn transcript(State(floor): Floor, Path(file): Path<String>) -> Response {
    let read = || {
        let (rest, round_no) = file.strip_suffix(".jsonl")?.rsplit_once('-')?;
        let (table, epoch) = rest.rsplit_once('-')?;
        let place = Place {
            table: table.to_owned(),
            epoch: epoch.parse().ok()?,
            round_no: round_no.parse().ok()?,
        };
        Some((floor.table(table).ok()?, place))
    };
    let Some((open, place)) = read() else { return StatusCode::NOT_FOUND.into_response() };
    let round = open.table.round(place);
    match round.is_closed().await {
        Ok(true) => {}
        Ok(false) => return StatusCode::NOT_FOUND.into_response(),
        Err(error) => return unavailable(&error),
    }
    match floor.log.transcript(&open.table, &round).await {
        Ok((bytes, _)) => ([(header::CONTENT_TYPE, "application/jsonl")], bytes).into_response(),
        Err(error) => unavailable(&error),
    }
}

fn unavailable(error: &dyn std::error::Error) -> Response {
    tracing::error!(%error, "a call failed");
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}

#[derive(Deserialize)]
struct NewPlayer {
    name: String,
}

async fn enroll(State(floor): Floor, Json(NewPlayer { name }): Json<NewPlayer>) -> Answer {
    let name = name.trim();
    let length = name.chars().count();
    if !(1..=20).contains(&length) || name.chars().any(char::is_control) {
        return Err(MoveRefused {
            status: StatusCode::BAD_REQUEST,
            sentence: "A name has 1 to 20 characters.".to_owned(),
        });
    }
    let token = floor.wallets.enroll(name).await?;
    let player = player(&floor, &token).await?;
    let balance_minor = floor.wallets.balance(&player.id).await?;
    Ok(Json(json!({"token": token, "name": name, "balance_minor": balance_minor})))
}

async fn tables(State(floor): Floor) -> Answer {
    let tables: Vec<Value> = floor
        .tables
        .iter()
        .map(|table| {
            let rules = &table.shared.rules;
            json!({"id": rules.id, "title": rules.title, "game": rules.game, "seats": rules.seats,
                   "players": table.shared.players()})
        })
        .collect();
    Ok(Json(json!({"currency": {"code": CURRENCY, "exponent": EXPONENT}, "tables": tables})))
}

async fn rules(State(floor): Floor, Path(id): Path<String>) -> Answer {
    let Root { keys, threshold, .. } = &floor.root;
    let verify = json!({
        "roots": keys,
        "threshold": threshold,
        "witnesses": [floor.log.witness_key()],
        "beacons": floor.chain.as_slice(),
    });
    Ok(Json(floor.table(&id)?.shared.rules.to_json(&verify)))
}

// Views

#[derive(Deserialize)]
struct EventsQuery {
    token: String,
}

/// A page that looks at a table. The table counts it for as long as it lives.
struct Watcher {
    floor: Arc<CasinoFloor>,
    shared: Arc<SharedTable>,
    player: Player,
    changes: watch::Receiver<u64>,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.shared.disconnect(&self.player.id);
    }
}

async fn events(
    State(floor): Floor,
    Path(id): Path<String>,
    Query(EventsQuery { token }): Query<EventsQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, MoveRefused> {
    let player = player(&floor, &token).await?;
    let shared = Arc::clone(&floor.table(&id)?.shared);
    let mut changes = shared.changes();
    // The first view comes at once.
    changes.mark_changed();
    shared.connect(&player.id);
    let watcher = Watcher { floor, shared, player, changes };
    let views = stream::unfold(watcher, |mut watcher| async move {
        watcher.changes.changed().await.ok()?;
        watcher.changes.mark_unchanged();
        let balance = watcher.floor.wallets.balance(&watcher.player.id).await;
        let balance = balance.inspect_err(|error| tracing::error!(%error, "no balance")).ok()?;
        let view = watcher.shared.view(&watcher.player, balance);
        Some((Ok(Event::default().data(view.to_string())), watcher))
    });
    Ok(Sse::new(views).keep_alive(KeepAlive::default()))
}

// Moves

async fn moved(floor: &CasinoFloor, id: &str, player: Player, made: Move) -> Answer {
    let (answer, answered) = oneshot::channel();
    let gone = || MoveRefused {
        status: StatusCode::SERVICE_UNAVAILABLE,
        sentence: "The table is closed.".to_owned(),
    };
    let table = floor.table(id)?;
    table.moves.send(PlayerMove { player, made, answer }).await.map_err(|_| gone())?;
    answered.await.map_err(|_| gone())?.map(Json)
}

#[derive(Deserialize)]
struct SitMove {
    seat: i32,
}

async fn sit(
    State(floor): Floor,
    Path(id): Path<String>,
    Caller(player): Caller,
    Json(SitMove { seat }): Json<SitMove>,
) -> Answer {
    moved(&floor, &id, player, Move::Sit { seat }).await
}

async fn stand(State(floor): Floor, Path(id): Path<String>, Caller(player): Caller) -> Answer {
    moved(&floor, &id, player, Move::Stand).await
}

async fn bet(
    State(floor): Floor,
    Path(id): Path<String>,
    Caller(player): Caller,
    Json(bet): Json<BetMove>,
) -> Answer {
    moved(&floor, &id, player, Move::Bet(bet)).await
}

async fn take_back(State(floor): Floor, Path(id): Path<String>, Caller(player): Caller) -> Answer {
    moved(&floor, &id, player, Move::TakeBack).await
}

/// Bytes that come in hexadecimal.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct HexBytes(Vec<u8>);

impl TryFrom<String> for HexBytes {
    type Error = hex::FromHexError;

    fn try_from(text: String) -> Result<Self, hex::FromHexError> {
        hex::decode(text).map(Self)
    }
}

#[derive(Deserialize)]
struct SeedMove {
    round: RoundName,
    seed: HexBytes,
}

async fn seed(
    State(floor): Floor,
    Path(id): Path<String>,
    Caller(player): Caller,
    Json(SeedMove { round, seed: HexBytes(seed) }): Json<SeedMove>,
) -> Answer {
    let seed = seed.try_into().map_err(|_| MoveRefused {
        status: StatusCode::BAD_REQUEST,
        sentence: "A seed has 32 bytes.".to_owned(),
    })?;
    moved(&floor, &id, player, Move::Seed { round, seed }).await
}

async fn house_way(State(floor): Floor, Path(id): Path<String>, Caller(player): Caller) -> Answer {
    let shared = &floor.table(&id)?.shared;
    let cards = shared.read(|state| {
        let hand = state.seats.get(&state.seat_of(&player.id)?)?.hand.as_ref()?;
        Some(hand.cards.clone())
    });
    let cards = cards
        .filter(|cards| !cards.is_empty())
        .ok_or_else(|| MoveRefused::new("You have no cards."))?;
    let by = Some(set_house_way_request::By::Ruleset(shared.rules.ruleset.hash.clone()));
    let request = pb::SetHouseWayRequest { hands: vec![pb::Hand { cards }], by };
    let set = floor.engine.set_house_way(request).await.map_err(|error| {
        tracing::warn!(%error, "no house way");
        MoveRefused {
            status: StatusCode::SERVICE_UNAVAILABLE,
            sentence: "The engine does not answer. Try again in a moment.".to_owned(),
        }
    })?;
    let hand = set.settings.into_iter().next().unwrap_or_default();
    Ok(Json(json!({"low": hand.low, "high": hand.high, "low_name": hand.low_name,
                   "high_name": hand.high_name, "clause": hand.clause_id, "clause_text": hand.clause_text})))
}

async fn decide(
    State(floor): Floor,
    Path(id): Path<String>,
    Caller(player): Caller,
    Json(decided): Json<DecideMove>,
) -> Answer {
    moved(&floor, &id, player, Move::Decide(decided)).await
}

#[derive(Deserialize)]
struct SignMove {
    round: RoundName,
    signature: HexBytes,
}

async fn sign(
    State(floor): Floor,
    Path(id): Path<String>,
    Caller(player): Caller,
    Json(SignMove { round, signature: HexBytes(signature) }): Json<SignMove>,
) -> Answer {
    moved(&floor, &id, player, Move::Sign { round, signature }).await
}
