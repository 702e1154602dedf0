// three.ts: dual quaternion skinning for three.js's WebGLRenderer.
//
//   import { supple } from 'supple-skin/three';
//   supple(mesh, { method: 'dqs' });            // any material, shadows, picking, bounds
//
// Importing this module replaces three's skinning chunks by ones that look at the bone texture: that of a
// SuppleSkeleton is not square and holds the joints' turns behind the matrices. So a material serves meshes of both
// methods, and nothing of it is touched. Import it before the first frame is drawn.
import { Object3D, ShaderChunk } from 'three';
import { handleOf, type SuppleHandle, type SuppleOptions } from './three-handle.js';
import { LINEAR_SHARE, patchSkinnedMesh, SuppleSkeleton } from './three-skeleton.js';

export { LINEAR_SHARE, SuppleSkeleton };
export { SuppleInfluences } from './three-influences.js';

export type { Method, SuppleHandle, SuppleOptions } from './three-handle.js';

const pars = /* glsl */ `
#ifdef USE_SKINNING

	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;

	uniform highp sampler2D boneTexture;

	attribute float ${LINEAR_SHARE};

	vec4 suppleTexel( const in int i ) {

		int size = textureSize( boneTexture, 0 ).x;
		return texelFetch( boneTexture, ivec2( i % size, i / size ), 0 );

	}

	mat4 getBoneMatrix( const in float i ) {

		int j = int( i ) * 4;
		return mat4( suppleTexel( j ), suppleTexel( j + 1 ), suppleTexel( j + 2 ), suppleTexel( j + 3 ) );

	}

	// c as a pure quaternion, times q.
	vec4 suppleTimes( const in vec3 c, const in vec4 q ) {

		return vec4( c * q.w + cross( c, q.xyz ), - dot( c, q.xyz ) );

	}

	struct SuppleBlend {
		mat4 linear; // the sum of w M
		mat4 blocks; // the sum of w M q, each column as a pure quaternion
		vec4 turn; // the sum of w q
	};

	void suppleAdd( inout SuppleBlend blend, const in vec4 pivot, const in int turns, const in float joint, const in float weight ) {

		mat4 m = getBoneMatrix( joint );
		vec4 q = suppleTexel( turns + int( joint ) );
		// Exactly half a turn apart stays as it is: never sign(), which is 0 there.
		q *= dot( q, pivot ) < - 1e-6 ? - weight : weight;
		blend.linear += weight * m;
		blend.turn += q;
		blend.blocks += mat4( suppleTimes( m[ 0 ].xyz, q ), suppleTimes( m[ 1 ].xyz, q ), suppleTimes( m[ 2 ].xyz, q ), suppleTimes( m[ 3 ].xyz, q ) );

	}

	void supplePivot( inout vec2 pivot, const in float joint, const in float weight ) {

		if ( weight > pivot.y || ( weight == pivot.y && joint < pivot.x ) ) pivot = vec2( joint, weight );

	}

	// vec( a r* ) / |r|^2
	vec4 suppleDivide( const in vec4 a, const in vec4 r, const in float squared, const in float w ) {

		return vec4( ( a.xyz * r.w - r.xyz * a.w - cross( a.xyz, r.xyz ) ) / squared, w );

	}

	// The affine map of this vertex.
	mat4 suppleMap() {

		ivec2 size = textureSize( boneTexture, 0 );
		if ( size.x == size.y )
			return skinWeight.x * getBoneMatrix( skinIndex.x ) + skinWeight.y * getBoneMatrix( skinIndex.y ) + skinWeight.z * getBoneMatrix( skinIndex.z ) + skinWeight.w * getBoneMatrix( skinIndex.w );

		ivec4 layout_ = ivec4( texelFetch( boneTexture, size - 1, 0 ) );
		if ( ( layout_.w & 1 ) != 0 ) return mat4( 1.0 );
		int further = layout_.y + gl_VertexID * layout_.z;

		vec4 weight = layout_.z > 0 ? skinWeight * suppleTexel( further ).x : skinWeight;

		vec2 pivot = vec2( skinIndex.x, weight.x );
		supplePivot( pivot, skinIndex.y, weight.y );
		supplePivot( pivot, skinIndex.z, weight.z );
		supplePivot( pivot, skinIndex.w, weight.w );
		for ( int i = 1; i < layout_.z; i ++ ) {

			vec4 two = suppleTexel( further + i );
			supplePivot( pivot, two.x, two.y );
			supplePivot( pivot, two.z, two.w );

		}

		vec4 q = suppleTexel( layout_.x + int( pivot.x ) );
		SuppleBlend blend = SuppleBlend( mat4( 0.0 ), mat4( 0.0 ), vec4( 0.0 ) );
		suppleAdd( blend, q, layout_.x, skinIndex.x, weight.x );
		suppleAdd( blend, q, layout_.x, skinIndex.y, weight.y );
		suppleAdd( blend, q, layout_.x, skinIndex.z, weight.z );
		suppleAdd( blend, q, layout_.x, skinIndex.w, weight.w );
		for ( int i = 1; i < layout_.z; i ++ ) {

			vec4 two = suppleTexel( further + i );
			if ( two.y != 0.0 ) suppleAdd( blend, q, layout_.x, two.x, two.y );
			if ( two.w != 0.0 ) suppleAdd( blend, q, layout_.x, two.z, two.w );

		}

		float squared = dot( blend.turn, blend.turn );
		if ( ! ( squared >= 1e-12 ) || ( layout_.w & 4 ) != 0 ) return blend.linear;
		mat4 turned = mat4( suppleDivide( blend.blocks[ 0 ], blend.turn, squared, 0.0 ), suppleDivide( blend.blocks[ 1 ], blend.turn, squared, 0.0 ), suppleDivide( blend.blocks[ 2 ], blend.turn, squared, 0.0 ), suppleDivide( blend.blocks[ 3 ], blend.turn, squared, 1.0 ) );
		// Read only where the geometry has it: an absent attribute may hold what another program left there.
		return ( layout_.w & 2 ) != 0 ? turned + ( blend.linear - turned ) * ${LINEAR_SHARE} : turned;

	}

#endif
`;

const base = /* glsl */ `
#ifdef USE_SKINNING

	mat4 skinMap = suppleMap();

#endif
`;

const normal = /* glsl */ `
#ifdef USE_SKINNING

	{

		mat3 skinFrame = mat3( bindMatrixInverse * skinMap * bindMatrix );

		#ifdef USE_TANGENT

			objectTangent = skinFrame * objectTangent;

		#endif

		if ( textureSize( boneTexture, 0 ).x == textureSize( boneTexture, 0 ).y ) {

			objectNormal = skinFrame * objectNormal;

		} else {

			// By the cofactors and the determinant's sign; where these vanish, by the map itself.
			vec3 yz = cross( skinFrame[ 1 ], skinFrame[ 2 ] );
			vec3 byCofactor = ( yz * objectNormal.x + cross( skinFrame[ 2 ], skinFrame[ 0 ] ) * objectNormal.y + cross( skinFrame[ 0 ], skinFrame[ 1 ] ) * objectNormal.z ) * ( dot( skinFrame[ 0 ], yz ) < 0.0 ? - 1.0 : 1.0 );
			float size = dot( skinFrame[ 0 ], skinFrame[ 0 ] ) + dot( skinFrame[ 1 ], skinFrame[ 1 ] ) + dot( skinFrame[ 2 ], skinFrame[ 2 ] );
			objectNormal = dot( byCofactor, byCofactor ) > 1e-12 * size * size * dot( objectNormal, objectNormal ) ? normalize( byCofactor ) : skinFrame * objectNormal;

		}

	}

#endif
`;

const vertex = /* glsl */ `
#ifdef USE_SKINNING

	transformed = ( bindMatrixInverse * ( skinMap * ( bindMatrix * vec4( transformed, 1.0 ) ) ) ).xyz;

#endif
`;

ShaderChunk.skinning_pars_vertex = pars;
ShaderChunk.skinbase_vertex = base;
ShaderChunk.skinnormal_vertex = normal;
ShaderChunk.skinning_vertex = vertex;
patchSkinnedMesh();

/**
 * Lets a skinned mesh (or all skinned meshes in an object) follow its joints by dual quaternions. Materials are not
 * touched; meshes that share a skeleton or a material may differ.
 */
export function supple(object: Object3D, options: SuppleOptions = {}): SuppleHandle {
  return handleOf(object, options);
}
