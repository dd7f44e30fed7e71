"""The nouns as the JSON that Discord sends, with every field its OpenAPI document requires."""

from tests.discord_server.state import Channel, ChannelKind, Guild, Json, Member, Message, Role, User


def user(one: User) -> Json:
    return {
        "id": str(one.id),
        "username": one.name,
        "global_name": None if one.bot else one.name.title(),
        "discriminator": "0",
        "avatar": None,
        "avatar_decoration_data": None,
        "banner": None,
        "accent_color": None,
        "collectibles": None,
        "primary_guild": None,
        "public_flags": 0,
        "flags": 0,
        "bot": one.bot,
    }


def role(one: Role) -> Json:
    return {
        "id": str(one.id),
        "name": one.name,
        "permissions": str(one.permissions),
        "position": one.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": one.mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def member(one: Member, *, with_user: bool = True) -> Json:
    shown: Json = {
        "roles": [str(role_id) for role_id in sorted(one.role_ids)],
        "nick": None,
        "avatar": None,
        "banner": None,
        "joined_at": one.joined_at.isoformat(),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "pending": False,
        "communication_disabled_until": None,
        "flags": 0,
    }
    return {"user": user(one.user), **shown} if with_user else shown


def channel(one: Channel) -> Json:
    shown: Json = {
        "id": str(one.id),
        "type": int(one.kind),
        "flags": 0,
        "last_message_id": str(one.last_message_id) if one.last_message_id else None,
    }
    if one.kind is ChannelKind.DM:
        return {**shown, "recipients": [user(one.recipient)] if one.recipient else []}
    shown |= {
        "guild_id": str(one.guild_id),
        "name": one.name,
        "parent_id": str(one.parent_id) if one.parent_id else None,
        "rate_limit_per_user": 0,
    }
    if one.is_thread:
        return shown | _thread_only(one)
    shown |= {
        "position": one.position,
        "topic": None,
        "nsfw": False,
        "permission_overwrites": [
            {"id": str(id_), "type": int(each.for_member), "allow": str(each.allow), "deny": str(each.deny)}
            for id_, each in one.overwrites.items()
        ],
    }
    if one.kind is ChannelKind.FORUM:
        shown |= {
            "available_tags": [],
            "default_reaction_emoji": None,
            "default_sort_order": None,
            "default_forum_layout": 0,
        }
    return shown


def _thread_only(one: Channel) -> Json:
    return {
        "owner_id": str(one.owner_id),
        "message_count": 0,
        "member_count": 1,
        "total_message_sent": 0,
        "applied_tags": [],
        "thread_metadata": {
            "archived": one.archived,
            "auto_archive_duration": one.auto_archive_minutes,
            "archive_timestamp": one.created_at.isoformat(),
            "create_timestamp": one.created_at.isoformat(),
            "locked": one.locked,
        },
    }


def guild(one: Guild, *, seen_by: int) -> Json:
    """Return the guild of a GUILD_CREATE event.

    Args:
        seen_by: whose member comes along beside the owner's; all would take the members intent.
    """
    shown = [each for id_, each in one.members.items() if id_ in (seen_by, one.owner_id)]
    return {
        "id": str(one.id),
        "name": one.name,
        "icon": None,
        "owner_id": str(one.owner_id),
        "joined_at": one.created_at.isoformat(),
        "large": False,
        "unavailable": False,
        "member_count": len(one.members),
        "roles": [role(each) for each in one.roles.values()],
        "members": [member(each) for each in shown],
        "channels": [channel(each) for each in one.channels.values() if not each.is_thread],
        "threads": [channel(each) for each in one.channels.values() if each.is_thread and not each.archived],
        "emojis": [],
        "stickers": [],
        "features": [],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "soundboard_sounds": [],
        "guild_scheduled_events": [],
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": str(one.system_channel_id) if one.system_channel_id else None,
        "system_channel_flags": 0,
        "preferred_locale": "en-US",
    }


def message(one: Message, *, with_nonce: bool = False) -> Json:
    """Return a message; its nonce is shown to whoever just made it, and in MESSAGE_CREATE, only."""
    shown: Json = {
        "id": str(one.id),
        "channel_id": str(one.channel_id),
        "type": one.kind,
        "author": user(one.author),
        "content": one.content,
        "embeds": one.embeds,
        "components": one.components,
        "attachments": one.attachments,
        "flags": one.flags,
        "timestamp": one.created_at.isoformat(),
        "edited_timestamp": one.edited_at.isoformat() if one.edited_at else None,
        "mentions": [user(each) for each in one.pinged_users],
        "mention_roles": [str(role_id) for role_id in one.pinged_roles],
        "mention_everyone": one.pinged_everyone,
        "pinned": False,
        "tts": False,
    }
    if one.application_id is not None:
        shown |= {"application_id": str(one.application_id), "webhook_id": str(one.application_id)}
    if one.interaction_metadata is not None:
        shown["interaction_metadata"] = one.interaction_metadata
    if with_nonce and one.nonce is not None:
        shown["nonce"] = one.nonce
    return shown


def message_event(one: Message, author: Member | None, *, with_nonce: bool = False) -> Json:
    """Return a message as the gateway tells of it: with its guild and its author's membership."""
    shown = message(one, with_nonce=with_nonce)
    if one.guild_id is not None:
        shown["guild_id"] = str(one.guild_id)
    if author is not None:
        shown["member"] = member(author, with_user=False)
    return shown


def without_content(shown: Json) -> Json:
    """Return a message as a bot without the message content intent sees other people's."""
    return shown | {"content": "", "embeds": [], "components": [], "attachments": []}


def application(bot: User, owner: User, *, guilds: int) -> Json:
    return {
        "id": str(bot.id),
        "name": bot.name,
        "icon": None,
        "description": "",
        "summary": "",
        "type": None,
        "bot": user(bot),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "owner": user(owner),
        "team": None,
        "flags": 0,
        "flags_new": "0",
        "redirect_uris": [],
        "rpc_origins": [],
        "tags": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "explicit_content_filter": 0,
        "approximate_guild_count": guilds,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "eligible_oauth2_scopes": ["bot", "applications.commands"],
        "integration_types_config": {"0": {}},
    }
