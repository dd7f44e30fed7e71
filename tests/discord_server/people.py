"""What people do in Discord's window: type commands, let them be completed, press buttons, send forms."""

from enum import IntEnum
from typing import Any

from tests.discord_server import payloads, permissions
from tests.discord_server.interactions import Asked, Interaction, Interactions
from tests.discord_server.permissions import Permission
from tests.discord_server.routes import Routes
from tests.discord_server.state import Channel, Json, Message, Role, User
from tests.discord_server.world import World

_SUBCOMMANDS = (1, 2)
_BUTTON = 2
_MOST_ATTACHED_BYTES = 10 * 1024 * 1024


class _Kind(IntEnum):
    ROW = 1
    LABEL = 18


class NotOffered(Exception):
    """Discord's window would not let this person do that."""


class People:
    """The side of the interactions that people see."""

    def __init__(self, world: World, routes: Routes, interactions: Interactions) -> None:
        self._world = world
        self._routes = routes
        self._interactions = interactions

    def slash(self, user: User, channel: Channel, command: str, /, **options: Any) -> Interaction:
        """Send a command.

        Args:
            command: with its groups, as typed: ``digest subscribe``.
            options: values by name; a ``User``, ``Role`` or ``Channel`` where the option takes one.

        Raises:
            NotOffered: there is no such command or option, or it is hidden from this person.
        """
        return self._command(Asked.COMMAND, user, channel, command, options, focus=None)

    def complete(self, user: User, channel: Channel, command: str, focus: str, /, **options: Any) -> Interaction:
        """Type into the option ``focus`` far enough to be shown ``Interaction.choices``."""
        return self._command(Asked.AUTOCOMPLETE, user, channel, command, options, focus=focus)

    def press(self, user: User, message: Message, button: str) -> Interaction:
        """Press the button with this label or custom id.

        Raises:
            NotOffered: there is none, it is disabled, it is a link, or the message is hidden from this person.
        """
        if message.visible_to not in (None, user.id):
            raise NotOffered("the message is not for this person")
        for one in _flat(message.components):
            if one["type"] == _BUTTON and button in (one.get("label"), one.get("custom_id")):
                if one.get("disabled") or "custom_id" not in one:
                    raise NotOffered(f"the button {button} cannot be pressed")
                return self.send_component(user, message, one["custom_id"], number=one["id"])
        raise NotOffered(f"no button {button}")

    def send_component(self, user: User, message: Message, custom_id: str, *, number: int = 1) -> Interaction:
        """Send the press of a button with any custom id, also of one that the message has not."""
        data = {"custom_id": custom_id, "component_type": _BUTTON, "id": number}
        return self._begin(Asked.COMPONENT, user, self._world.channels[message.channel_id], data, source=message)

    def choose(self, user: User, message: Message, custom_id: str, values: list[str]) -> Interaction:
        """Choose from a string select."""
        one = next((one for one in _flat(message.components) if one.get("custom_id") == custom_id), None)
        if one is None:
            raise NotOffered(f"no select {custom_id}")
        data = {"custom_id": custom_id, "component_type": one["type"], "id": one["id"], "values": values}
        return self._begin(Asked.COMPONENT, user, self._world.channels[message.channel_id], data, source=message)

    def submit(self, opened: Interaction, /, **values: str) -> Interaction:
        """Fill in the form that an interaction opened, by the custom ids of its fields, and send it."""
        if opened.modal is None:
            raise NotOffered("no form is open")
        data = {
            "custom_id": opened.modal["custom_id"],
            "components": [_filled(one, values) for one in opened.modal["components"]],
        }
        return self._begin(Asked.MODAL, opened.user, opened.channel, data, source=opened.source)

    def _command(
        self, asked: Asked, user: User, channel: Channel, command: str, options: Json, *, focus: str | None
    ) -> Interaction:
        name, *groups = command.split()
        found = self._find(name, channel.guild_id)
        self._check_offered(found, user, channel)
        resolved: Json = {}
        place, chain = found, list[Json]()
        for group in groups:
            place = _named(place.get("options", []), group, command)
            chain.append(place)
        given = [self._option(place, key, value, focus, resolved) for key, value in options.items()]
        for one in reversed(chain):
            given = [{"name": one["name"], "type": one["type"], "options": given}]
        data: Json = {"id": found["id"], "name": name, "type": found["type"], "options": given}
        if resolved:
            data["resolved"] = resolved
        if "guild_id" in found:
            # Only for commands of one guild: discord.py looks a command up by it.
            data["guild_id"] = found["guild_id"]
        return self._begin(asked, user, channel, data)

    def _find(self, name: str, guild_id: int | None) -> Json:
        for scope in (guild_id, None):
            for command in self._routes.commands.get(scope, []):
                if command["name"] == name:
                    return command
        raise NotOffered(f"no command /{name} is registered")

    def _check_offered(self, command: Json, user: User, channel: Channel) -> None:
        if channel.guild_id is None:
            return
        granted = self._world.granted(channel, user)
        if not granted & Permission.USE_APPLICATION_COMMANDS:
            raise NotOffered(f"{user.name} may not use commands in #{channel.name}")
        needed = command["default_member_permissions"]
        if needed is None or granted == permissions.ALL:
            return
        # "0" hides it from everybody but administrators.
        if int(needed) == 0 or granted & int(needed) != int(needed):
            raise NotOffered(f"/{command['name']} is hidden from {user.name}")

    def _option(self, place: Json, name: str, value: Any, focus: str | None, resolved: Json) -> Json:
        definition = _named(place.get("options", []), name, place["name"])
        if definition["type"] in _SUBCOMMANDS:
            raise NotOffered(f"{name} is a command, not an option")
        shown: Json = {"name": name, "type": definition["type"], "value": value}
        if isinstance(value, User | Role | Channel):
            shown["value"] = str(value.id)
            self._resolve(value, resolved)
        if name == focus:
            shown["focused"] = True
        return shown

    def _resolve(self, value: User | Role | Channel, resolved: Json) -> None:
        key = str(value.id)
        match value:
            case User():
                resolved.setdefault("users", {})[key] = payloads.user(value)
            case Role():
                resolved.setdefault("roles", {})[key] = payloads.role(value)
            case Channel():
                shown = payloads.channel(value) | {"permissions": str(permissions.ALL)}
                resolved.setdefault("channels", {})[key] = shown

    def _begin(
        self, asked: Asked, user: User, channel: Channel, data: Json, *, source: Message | None = None
    ) -> Interaction:
        world = self._world
        id_ = world.new_id()
        interaction = Interaction(
            id=id_, token=f"token{id_}", asked=asked, user=user, channel=channel, at=world.now(), source=source
        )
        self._interactions.begin(interaction)
        world.tell("INTERACTION_CREATE", self._event(interaction, data), channel.guild_id)
        return interaction

    def _event(self, interaction: Interaction, data: Json) -> Json:
        channel, user, world = interaction.channel, interaction.user, self._world
        granted = str(world.granted(channel, user))
        event: Json = {
            "id": str(interaction.id),
            "application_id": str(world.bot.id),
            "type": int(interaction.asked),
            "token": interaction.token,
            "version": 1,
            "data": data,
            "channel_id": str(channel.id),
            "channel": payloads.channel(channel) | {"permissions": granted},
            "locale": "en-US",
            "app_permissions": str(world.granted(channel, world.bot)),
            "entitlements": [],
            "authorizing_integration_owners": {"0": str(channel.guild_id or 0)},
            "context": 0 if channel.guild_id else 1,
            "attachment_size_limit": _MOST_ATTACHED_BYTES,
        }
        if channel.guild_id is None:
            event["user"] = payloads.user(user)
        else:
            member = world.guild_of(channel).members[user.id]
            event |= {
                "guild_id": str(channel.guild_id),
                "guild_locale": "en-US",
                "guild": {"id": str(channel.guild_id), "locale": "en-US", "features": []},
                "member": payloads.member(member) | {"permissions": granted},
            }
        if interaction.source is not None:
            event["message"] = payloads.message(interaction.source)
        return event


def _named(options: list[Json], name: str, command: str) -> Json:
    for one in options:
        if one["name"] == name:
            return one
    raise NotOffered(f"/{command} has no {name}")


def _flat(components: list[Json]) -> list[Json]:
    found: list[Json] = []
    for one in components:
        found += [one, *_flat(one.get("components") or [])]
        if "accessory" in one:
            found.append(one["accessory"])
    return found


def _filled(component: Json, values: dict[str, str]) -> Json:
    shown: Json = {"type": component["type"], "id": component.get("id", 1)}
    match component["type"]:
        case _Kind.ROW:
            return {**shown, "components": [_filled(one, values) for one in component["components"]]}
        case _Kind.LABEL:
            return {**shown, "component": _filled(component["component"], values)}
        case _:
            custom_id = component["custom_id"]
            return {**shown, "custom_id": custom_id, "value": values.get(custom_id, "")}
