//! Slugs and ladybirds.
