use super::*;

fn band(up_to: impl Into<Option<i64>>, fee: i64) -> FeeBand {
    FeeBand { up_to: up_to.into(), fee }
}

#[test]
fn an_end_belongs_to_its_band_and_the_next_unit_to_the_next() {
    let schedule = FeeSchedule::new(vec![band(100, 1), band(200, 2), band(None, 5)]).unwrap();
    for (amount, fee) in
        [(0, 0), (1, 1), (100, 1), (101, 2), (200, 2), (201, 5), (i128::from(i64::MAX) * 6, 5)]
    {
        assert_eq!(schedule.due(amount), fee, "{amount}");
    }
}

#[test]
fn a_schedule_has_one_to_five_growing_bands_and_an_open_end() {
    assert_eq!(FeeSchedule::new(vec![]), Err(FeeScheduleError::Count { bands: 0 }));
    let mut six: Vec<FeeBand> = (1..=5).map(|end| band(end, 1)).collect();
    six.push(band(None, 1));
    assert_eq!(FeeSchedule::new(six), Err(FeeScheduleError::Count { bands: 6 }));
    assert_eq!(FeeSchedule::new(vec![band(9, 1)]), Err(FeeScheduleError::LastBandEnds));
    for ends in [[Some(9), Some(9)], [Some(9), Some(8)], [None, Some(8)]] {
        let bands = ends.into_iter().chain([None]).map(|end| band(end, 1)).collect();
        assert_eq!(FeeSchedule::new(bands), Err(FeeScheduleError::Order), "{ends:?}");
    }
}
