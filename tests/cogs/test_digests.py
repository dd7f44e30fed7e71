"""What managers do with digests, and what members may not."""

import datetime as dt

import discord
import pytest

from bot.store import editions, subscriptions


async def everything(lab):
    return await lab.services.database.read(subscriptions.list_all)


async def test_a_subscribed_channel_gets_its_digest_at_its_time_and_once(lab):
    answer = await lab.subscribe(timezone="Europe/Berlin", size=3)
    assert "every day at 09:00, Europe/Berlin" in answer

    await lab.running.tick()
    assert lab.posted() == []
    lab.clock.advance(hours=24)
    for _ in range(3):
        await lab.running.tick()

    (message,) = lab.posted()
    assert message.embeds[0].title == "Papers for Tuesday, 3 March 2026"
    assert "1." in lab.text_of(message)
    assert "3." in lab.text_of(message)


async def test_the_next_digest_brings_other_papers(lab):
    await lab.subscribe(size=10)
    for _ in range(2):
        await lab.next_digest()

    (subscription,) = await everything(lab)
    had = await lab.services.database.read(lambda connection: editions.papers_had(connection, subscription.id))
    assert len(had) == 19


async def test_a_number_under_a_digest_opens_the_paper_even_after_a_restart(lab):
    await lab.subscribe(size=2)
    await lab.next_digest()
    (message,) = lab.posted()
    await lab.restart()

    opened = await lab.press(lab.ben, message, "2")
    assert opened.ephemeral
    assert lab.read(opened).splitlines()[0].removeprefix("│ ")[:20] in lab.text_of(message)


async def test_only_the_chosen_role_is_mentioned(lab):
    role = lab.guild.create_role("Readers")
    await lab.subscribe(role=role)
    await lab.next_digest()

    (request,) = [one for one in lab.env.http_requests if one.method == "POST" and one.path.endswith("/messages")]
    assert request.json["allowed_mentions"] == {"parse": [], "roles": [role.id]}
    assert request.json["content"] == f"<@&{role.id}>"


async def test_a_member_who_may_not_manage_sees_no_manager_commands(lab):
    assert not [name for name in lab.ben.available_commands(lab.papers) if name.startswith(("digest", "settings"))]
    assert "digest subscribe" in lab.ada.available_commands(lab.papers)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("digest subscribe", {"time": "09:00"}),
        ("digest list", {}),
        ("digest preview", {"number": 1}),
        ("digest now", {"number": 1}),
        ("digest pause", {"number": 1}),
        ("digest resume", {"number": 1}),
        ("digest remove", {"number": 1}),
        ("digest why", {"number": 1}),
        ("settings timezone", {"zone": "Asia/Tokyo"}),
        ("settings show", {}),
    ],
)
async def test_a_member_to_whom_an_admin_showed_the_commands_is_refused_all_the_same(lab, command: str, options):
    """Discord lets admins override the default permissions of a command; the code checks too."""
    await lab.subscribe()
    synced = await lab.running.client.tree.fetch_commands()
    group = next(one for one in synced if one.name == command.split(maxsplit=1)[0])
    lab.guild.set_command_permissions(group, {lab.ben: True})
    if command == "digest subscribe":
        options = {"channel": lab.papers, **options}
    before = await everything(lab)

    result = await lab.ben.slash(lab.papers, command, **options)

    assert "Manage Server" in lab.read(result)
    assert result.ephemeral
    assert await everything(lab) == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"timezone": "Mars/Olympus"}, "no time zone “Mars/Olympus”"),
        ({"timezone": "Europe/Berln"}, "Europe/Berlin"),
        ({"timezone": "EST"}, "America/New_York"),
        ({"time": "25:99"}, "no time of day"),
        ({"time": "@everyone"}, "no time of day"),
        ({"days": "someday"}, "no day"),
        ({"topic": "zzqqxx blorf"}, "No paper matches the topic"),
        ({"topic": "🦆"}, "at least one word"),
        ({"topic": '"*"'}, "at least one word"),
    ],
)
async def test_what_cannot_be_used_gets_a_sentence_and_nothing_is_kept(lab, options, said: str):
    answer = await lab.subscribe(**options)
    assert said in answer
    assert "(reference" not in answer
    assert await everything(lab) == []


@pytest.mark.parametrize(
    ("denied", "named"),
    [
        ({"send_messages": False}, "Send Messages"),
        ({"embed_links": False}, "Embed Links"),
        ({"view_channel": False}, "View Channel"),
    ],
)
async def test_a_channel_where_the_bot_may_not_post_is_refused_with_what_is_missing(lab, denied, named: str):
    me = lab.running.client.user
    corner = lab.guild.create_text_channel("corner", overwrites={me: discord.PermissionOverwrite(**denied)})
    answer = await lab.subscribe(channel=corner)
    assert named in answer
    assert await everything(lab) == []


async def test_only_channels_and_threads_for_messages_are_offered(lab):
    (group,) = [one for one in await lab.running.client.tree.fetch_commands() if one.name == "digest"]
    (subscribe,) = [one for one in group.options if one.name == "subscribe"]
    (channel,) = [one for one in subscribe.options if one.name == "channel"]
    assert {kind.name for kind in channel.channel_types} == {
        "text",
        "news",
        "public_thread",
        "private_thread",
        "news_thread",
    }


async def test_a_thread_gets_digests_too_and_is_listed_from_elsewhere(lab):
    parent = lab.running.client.get_channel(lab.papers.id)
    thread = await parent.create_thread(name="reading group", type=discord.ChannelType.public_thread)
    (handle,) = lab.papers.threads
    await lab.subscribe(channel=handle, size=1)
    assert f"<#{thread.id}>" in await lab.ask(lab.ada, "digest list")

    await lab.next_digest()
    assert [message.embeds[0].title[:10] for message in handle.history() if message.embeds] == ["Papers for"]


async def test_the_same_subscription_twice_is_a_conflict(lab):
    await lab.subscribe()
    assert "same already" in await lab.subscribe()
    assert len(await everything(lab)) == 1


async def test_the_list_shows_what_was_chosen(lab):
    assert "No subscriptions" in await lab.ask(lab.ada, "digest list")
    await lab.subscribe(topic="graph", days="mon, thu", time="8:30", timezone="Asia/Kolkata")
    answer = await lab.ask(lab.ada, "digest list")
    assert "Mondays and Thursdays at 08:30, Asia/Kolkata" in answer
    assert "graph" in answer


async def test_a_preview_is_seen_by_one_and_posts_and_uses_up_nothing(lab):
    await lab.subscribe(size=3)
    first = await lab.ada.slash(lab.papers, "digest preview", number=1)
    second = await lab.ada.slash(lab.papers, "digest preview", number=1)
    assert first.ephemeral
    assert lab.read(first) == lab.read(second)
    assert lab.posted() == []

    await lab.next_digest()
    assert len(lab.posted()) == 1


async def test_now_posts_today_and_only_once(lab):
    await lab.subscribe(size=3)
    answer = await lab.ask(lab.ada, "digest now", number=1)
    await lab.env.settle()
    assert "on the way" in answer
    assert len(lab.posted()) == 1

    assert "out already" in await lab.ask(lab.ada, "digest now", number=1)
    lab.clock.advance(hours=2)
    await lab.running.tick()
    assert len(lab.posted()) == 1, "09:00 of the same date"
    lab.clock.advance(hours=24)
    await lab.running.tick()
    assert len(lab.posted()) == 2


async def test_a_paused_subscription_is_silent_and_resumed_without_a_backlog(lab):
    await lab.subscribe(size=1)
    assert "Paused: no. 1" in await lab.ask(lab.ada, "digest pause", number=1)
    assert "paused already" in await lab.ask(lab.ada, "digest pause", number=1)
    assert "is paused" in await lab.ask(lab.ada, "digest now", number=1)
    lab.clock.advance(days=30)
    await lab.running.tick()
    assert "Resumed: no. 1" in await lab.ask(lab.ada, "digest resume", number=1)
    await lab.running.tick()
    assert lab.posted() == []

    await lab.next_digest()
    assert len(lab.posted()) == 1


async def test_a_removed_subscription_is_gone(lab):
    await lab.subscribe()
    assert "Removed: no. 1" in await lab.ask(lab.ada, "digest remove", number=1)
    lab.clock.advance(hours=48)
    await lab.running.tick()
    assert lab.posted() == []
    assert "no subscription 1" in await lab.ask(lab.ada, "digest remove", number=1)


async def test_why_tells_what_became_of_the_last_digest(lab):
    await lab.subscribe(size=1)
    assert "not had an edition yet" in await lab.ask(lab.ada, "digest why", number=1)
    await lab.next_digest()
    (message,) = lab.posted()
    assert f"/{message.id}" in await lab.ask(lab.ada, "digest why", number=1)

    lab.clock.advance(days=3)
    lab.clock.advance(hours=13)
    await lab.running.tick()
    assert "skipped" in await lab.ask(lab.ada, "digest why", number=1)


async def test_numbers_complete_with_the_subscription_in_words(lab):
    await lab.subscribe(topic="graph")
    choices = await lab.ada.autocomplete(lab.papers, "digest pause", "number", "")
    assert choices == [{"name": "1 · #papers · every day at 09:00, UTC · graph", "value": 1}]


async def test_zones_and_days_complete(lab):
    zones = await lab.ada.autocomplete(lab.papers, "settings timezone", "zone", "berl")
    assert zones[0]["value"] == "Europe/Berlin"
    days = await lab.ada.autocomplete(lab.papers, "digest subscribe", "days", "week", channel=lab.papers)
    assert [choice["value"] for choice in days] == ["weekdays", "weekends"]


async def test_the_servers_zone_is_the_one_of_later_subscriptions(lab):
    assert "09:00" not in await lab.ask(lab.ada, "settings show")
    assert "Asia/Tokyo" in await lab.ask(lab.ada, "settings timezone", zone="asia/tokyo")
    await lab.subscribe()
    (subscription,) = await everything(lab)
    assert subscription.schedule.zone == "Asia/Tokyo"
    assert subscription.next_due_at == dt.datetime(2026, 3, 3, 0, 0, tzinfo=dt.UTC)
    shown = await lab.ask(lab.ada, "settings show")
    assert "Asia/Tokyo, where it is 17:00" in shown
    assert "Subscriptions: 1" in shown


async def test_a_digest_waits_out_a_restart(lab):
    await lab.subscribe(size=1)
    await lab.restart()
    await lab.next_digest()
    assert len(lab.posted()) == 1


async def test_nothing_is_started_twice_when_discord_says_ready_again(lab):
    await lab.subscribe(size=1)
    for _ in range(3):
        lab.running.client.dispatch("ready")
    await lab.env.settle()
    await lab.next_digest()
    assert len(lab.posted()) == 1


async def test_commands_are_told_to_discord_only_when_they_changed(lab):
    def told() -> int:
        return len([one for one in lab.env.http_requests if one.method == "PUT" and one.path.endswith("/commands")])

    assert told() == 1
    await lab.restart()
    assert told() == 1
