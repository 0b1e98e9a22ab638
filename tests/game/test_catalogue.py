from solver import PRESETS, CatalogueAnswer, Rules, catalogue


def test_catalogue_has_every_preset_and_option() -> None:
    found = catalogue()
    assert found.presets == PRESETS
    assert {option.name: option.default for option in found.options} == Rules().options()


def test_every_option_has_values_or_bounds_that_hold_its_default() -> None:
    for option in catalogue().options:
        if option.values is None:
            assert option.least is not None
            assert option.most is not None
            assert option.least <= option.default <= option.most  # type: ignore[operator]
        else:
            assert option.default in option.values
            assert option.least is option.most is None


def test_what_is_not_playable_yet_is_marked() -> None:
    unsupported = {option.name: option.unsupported for option in catalogue().options if option.unsupported}
    assert unsupported["seats"] == (3,)
    assert unsupported["no_trump"] == (True,)
    assert "deck" not in unsupported


def test_catalogue_as_a_document_leaves_out_what_does_not_apply() -> None:
    options = {option["name"]: option for option in CatalogueAnswer().dump(catalogue())["options"]}
    assert options["deck"] == {"name": "deck", "default": 24, "values": [24, 25, 28, 32, 33], "unsupported": []}
    assert options["march"] == {"name": "march", "default": 2, "least": 0, "most": 100}
