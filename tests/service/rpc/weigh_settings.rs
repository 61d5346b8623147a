//! `WeighSettings`: each legal setting of a hand with its exact return, the best one first.

use paigow_proto::v1 as pb;
use tonic::Code;

use crate::rpc::casino::Casino;
use crate::rpc::desk::{Desk, ask, blamed, service};

fn split(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn request(ruleset: &str, cards: &str, dealer: &str) -> pb::WeighSettingsRequest {
    pb::WeighSettingsRequest {
        ruleset: ruleset.to_owned(),
        cards: split(cards),
        dealer_cards: split(dealer),
    }
}

async fn weigh(service: &Desk, request: pb::WeighSettingsRequest) -> Vec<pb::WeighedSetting> {
    service.weigh_settings(ask(request)).await.unwrap().into_inner().settings
}

fn low(weighed: &pb::WeighedSetting) -> String {
    weighed.setting.as_ref().unwrap().low.join(" ")
}

fn returned(weighed: &pb::WeighedSetting) -> (i128, i128) {
    let exact = weighed.exact_return.as_ref().unwrap();
    (exact.num.parse().unwrap(), exact.den.parse().unwrap())
}

#[tokio::test]
async fn every_legal_setting_is_weighed_against_all_hands_and_the_best_comes_first() {
    let service = service(&Casino::new(), "dev");
    let cards = "Ah Ad Kc Kd 7s 4c 2h";
    let settings = weigh(&service, request("mikes", cards, "")).await;
    // All 21 settings but the foul ones.
    let evaluate = pb::EvaluateHandsRequest {
        ruleset: "mikes".to_owned(),
        hands: vec![pb::HandToEvaluate { cards: split(cards), low: None }],
        all_settings: true,
    };
    let all = service.evaluate_hands(ask(evaluate)).await.unwrap().into_inner();
    let all = all.hands.into_iter().next().unwrap().all_settings;
    let mut legal: Vec<_> = all.into_iter().filter(|setting| !setting.foul).collect();
    let mut weighed: Vec<_> = settings.iter().map(|one| one.setting.clone().unwrap()).collect();
    legal.sort_by_key(|setting| setting.low.clone());
    weighed.sort_by_key(|setting| setting.low.clone());
    assert_eq!(weighed, legal);

    for setting in &settings {
        // C(46, 7) hands of the dealer; mikes pays even money.
        assert_eq!(setting.won + setting.lost + setting.pushed, 53_524_680);
        let (num, den) = returned(setting);
        let gained = i128::from(setting.won - setting.lost);
        assert_eq!(num * 53_524_680, den * (53_524_680 + gained));
        assert!(!setting.double_down);
    }
    let falling = |a: &pb::WeighedSetting, b: &pb::WeighedSetting| {
        let ((a, of_a), (b, of_b)) = (returned(a), returned(b));
        a * of_b >= b * of_a
    };
    assert!(settings.is_sorted_by(falling));
    assert_eq!(low(&settings[0]), "Kc Kd");

    let set = pb::SetHouseWayRequest {
        hands: vec![pb::Hand { cards: split(cards) }],
        by: Some(pb::set_house_way_request::By::Ruleset("mikes".to_owned())),
    };
    let set = service.set_house_way(ask(set)).await.unwrap().into_inner().settings;
    let by_way: Vec<String> = settings.iter().filter(|one| one.by_house_way).map(low).collect();
    assert_eq!(by_way, [set[0].low.join(" ")]);
}

#[tokio::test]
async fn a_double_down_is_named_where_it_raises_the_return() {
    let service = service(&Casino::new(), "dev");
    // No other low card copies or beats the joker, and only a straight flush beats four aces: the
    // wager never loses.
    let best = weigh(&service, request("mini", "As Ac Ad Ah Jk Kc", "")).await.remove(0);
    assert_eq!((low(&best).as_str(), best.lost, best.double_down), ("Jk", 0, true));
    // C(47, 6) hands of the dealer.
    assert_eq!(best.won + best.pushed, 10_737_573);
    // A dealer that qualifies has a pair, which an eight below and a seven above seldom beat.
    let worst = weigh(&service, request("mini", "2s 3c 4d 5h 7d 8c", "")).await;
    assert!(worst.iter().all(|setting| !setting.double_down));
}

#[tokio::test]
async fn against_a_dealers_hand_that_is_shown_a_setting_wins_loses_or_pushes() {
    let service = service(&Casino::new(), "dev");
    // The dealer sets a pair of kings and queen jack.
    let dealer = "Kc Kd Qh Js 9c 5d 3h";
    let settings = weigh(&service, request("face-up", "Ah Ad Qc Jc 8s 6d 2h", dealer)).await;
    let of = |cards: &str| {
        let found = settings.iter().find(|setting| low(setting) == cards).unwrap();
        (found.won, found.lost, found.pushed, returned(found))
    };
    // Both aces above the kings; queen jack copies queen jack, which the dealer wins.
    assert_eq!(of("Jc Qc"), (0, 0, 1, (1, 1)));
    // Eight six loses below, the aces win above.
    assert_eq!(of("6d 8s"), (0, 0, 1, (1, 1)));
    // No setting wins both hands: an ace below leaves one above, which loses to the kings.
    assert!(settings.iter().all(|setting| setting.won == 0));
    // Ten high loses both hands, however it is set.
    let both = weigh(&service, request("face-up", "2s 4c 5h 7d 8c 9d Td", dealer)).await;
    assert!(both.iter().all(|setting| (setting.won, setting.lost) == (0, 1)));
    assert!(both.iter().all(|setting| returned(setting) == (0, 1)));
    // Queens below and three aces above win both.
    let both = weigh(&service, request("face-up", "As Ac Ad Qc Qd 8s 2h", dealer)).await;
    assert_eq!((low(&both[0]).as_str(), both[0].won, returned(&both[0])), ("Qc Qd", 1, (2, 1)));
    // Ace high for the best five of the dealer's seven: every wager pushes.
    let push = weigh(&service, request("face-up", "2s 4c 5h 7d 8c 9d Td", "Ac Kd Jh 9s 6c 4d 2h"));
    assert!(push.await.iter().all(|setting| (setting.pushed, returned(setting)) == (1, (1, 1))));
}

#[tokio::test]
async fn a_hand_that_cannot_be_weighed_is_refused_by_its_path() {
    let service = service(&Casino::new(), "dev");
    let refusal = async |ruleset: &str, cards: &str, dealer: &str| {
        let asked = request(ruleset, cards, dealer);
        let (code, reason, fields) = blamed(&service.weigh_settings(ask(asked)).await.unwrap_err());
        assert_eq!(code, Code::InvalidArgument);
        (reason, fields.join(" "))
    };
    let (hand, other) = ("Ah Ad Kc Kd 7s 4c 2h", "As Ac Qh Js 9c 5d 3h");
    for (ruleset, cards, dealer, reason, fields) in [
        ("nosuch", hand, "", "RULESET", "ruleset"),
        ("", hand, "", "FIELD_MISSING", "ruleset"),
        ("mikes", "Ah Ad Kc", "", "HAND", "cards"),
        ("mikes", "Ah Ah Kc Kd 7s 4c 2h", "", "HAND", "cards"),
        ("mikes", "Ah 1d Kc Kd 7s 4c 2h", "", "UNKNOWN_CARD", "cards[1]"),
        ("mikes", hand, other, "FIELD_INVALID", "dealer_cards"),
        ("face-up", hand, "", "FIELD_MISSING", "dealer_cards"),
        ("face-up", hand, "As Ac Qh", "HAND", "dealer_cards"),
        ("face-up", hand, "Ah Ac Qh Js 9c 5d 3h", "HAND", "dealer_cards"),
    ] {
        let told = refusal(ruleset, cards, dealer).await;
        assert_eq!(told, (reason.to_owned(), fields.to_owned()), "{ruleset} {cards} {dealer}");
    }
}
